// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A handler of signals jumps out of what it interrupts; sigsetjmp has kept which signals are blocked.
#include <assert.h>
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf back;
static volatile sig_atomic_t is_ready;

static void on_signal(int number)
{
    (void)number;
    if (!is_ready)
        return;
    is_ready = 0;
    siglongjmp(back, 5);
}

int main(void)
{
    signal(SIGINT, on_signal);
    int value = sigsetjmp(back, 1);
    if (value == 0) {
        is_ready = 1;
        is_ready = 0;
    } else {
        sigset_t blocked;
        sigprocmask(SIG_BLOCK, NULL, &blocked);
        assert(value == 5 && !sigismember(&blocked, SIGINT));
    }
    return 0;
}
