// Waiting for a word in memory, by system call.
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_uint word;

static long futex(int operation, unsigned value)
{
    (void)operation;
    return operation ? syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0)
                     : syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

#if CASE == 0
static void *waker(void *unused)
{
    atomic_store(&word, 1);
    futex(1, 0);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, waker, NULL);
    while (atomic_load(&word) == 0)
        futex(0, 0);
    return 3; // EXPECT[0]: exit 3
}
#elif CASE == 1
int main(void)
{
    long result = futex(0, 5);
    return result == -1 && errno == EAGAIN ? 4 : 1; // EXPECT[1]: exit 4
}
#elif CASE == 2
// The word changes, but nobody wakes who waits for that.
static void *forgetful(void *unused)
{
    atomic_store(&word, 1);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, forgetful, NULL);
    futex(0, 0);
    pthread_join(thread, NULL);
    return 2; // EXPECT[2]: exit 2 | deadlock
}
#elif CASE == 3
int main(void)
{
    struct timespec soon = {0, 1};
    long result = syscall(SYS_futex, &word, FUTEX_WAIT, 0, &soon, NULL, 0);
    if (result == 0)
        return 5; // woken by nobody
    return errno == ETIMEDOUT ? 6 : 1; // EXPECT[3]: exit 5 | exit 6
}
#elif CASE == 4
static void *sleeper(void *unused)
{
    futex(0, 0);
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, sleeper, NULL);
    pthread_create(&b, NULL, sleeper, NULL);
    atomic_store(&word, 1);
    syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 7; // EXPECT[4]: exit 7
}
#elif CASE == 5
int main(void)
{
    return (int)syscall(SYS_gettid); // EXPECT[5]: unsupported call of `syscall`: system calls are not modelled
}
#elif CASE == 6
int main(void)
{
    return futex(1, 0) == 0 ? 8 : 1; // EXPECT[6]: exit 8
}
#endif
