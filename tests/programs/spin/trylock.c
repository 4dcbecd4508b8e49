// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int x;

static void *worker(void *unused)
{
    int status = pthread_spin_trylock(&lock);
    assert(status == 0 || status == EBUSY);
    if (status == 0) {
        x++; // NORACE
        pthread_spin_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x >= 1);
    return 0;
}
