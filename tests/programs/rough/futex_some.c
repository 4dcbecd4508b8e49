// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A number of sleepers to wake that shows only when the program runs, through a function of the program's own.
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic int gate, passed;

static long futex(_Atomic int *word, int operation, int value, const struct timespec *time)
{
    return syscall(SYS_futex, word, operation, value, time, 0, 0);
}

static void *waiter(void *unused)
{
    while (gate == 0)
        futex(&gate, FUTEX_WAIT_PRIVATE, 0, 0);
    passed++;
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, waiter, 0);
    pthread_create(&second, 0, waiter, 0);
    gate = 1;
    long woken = futex(&gate, FUTEX_WAKE_PRIVATE, 2, 0);
    assert(woken >= 0 && woken <= 2);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(passed == 2);
    return 0;
}
