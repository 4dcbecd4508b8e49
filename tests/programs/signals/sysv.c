// selvedge: assertion=safe
// flags: --no-signals
// `__sysv_signal` gives back the handler that was there before.
#include <assert.h>
#include <signal.h>

extern __sighandler_t __sysv_signal(int number, __sighandler_t handler);

static void handle(int number)
{
    (void)number;
}

int main(void)
{
    __sysv_signal(SIGUSR1, handle);
    assert(__sysv_signal(SIGUSR1, SIG_IGN) == handle);
    return 0;
}
