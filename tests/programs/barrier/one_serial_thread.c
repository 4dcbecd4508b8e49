// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int serial;

static void *worker(void *unused)
{
    int status = pthread_barrier_wait(&barrier);
    assert(status == 0 || status == PTHREAD_BARRIER_SERIAL_THREAD);
    if (status == PTHREAD_BARRIER_SERIAL_THREAD)
        atomic_fetch_add(&serial, 1);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(serial == 1);
    return 0;
}
