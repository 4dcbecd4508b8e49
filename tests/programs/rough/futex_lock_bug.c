// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
// A lock made of a word: 0 free, 1 taken, 2 taken and somebody may wait.
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint word;
static int shared;

static void acquire(void)
{
    unsigned seen = 0;
    if (atomic_compare_exchange_strong(&word, &seen, 1))
        return;
    while (atomic_exchange(&word, 2) != 0)
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0); // DEADLOCK!
}

static void release(void)
{
    if (atomic_exchange(&word, 0) == 3) // nobody is ever woken
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *worker(void *unused)
{
    acquire();
    int before = shared;
    shared = before + 1;
    assert(shared == before + 1);
    release();
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL); // DEADLOCK!
    pthread_join(t2, NULL); // DEADLOCK!
    assert(shared == 2);
    return 0;
}
