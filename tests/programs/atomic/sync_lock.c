// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static int taken, x;

static void *worker(void *unused)
{
    while (__sync_lock_test_and_set(&taken, 1)) {
    }
    x++; // NORACE
    __sync_lock_release(&taken);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 2);
    return 0;
}
