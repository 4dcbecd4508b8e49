// selvedge: race=unknown
// Which of two addresses is the lower one is not known where one lies outside of its object: the counter may be left without its lock.
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static char low[8], high[8];
static int counter;

static void *worker(void *unused)
{
    uintptr_t here = (uintptr_t)low + 64, there = (uintptr_t)high;
    pthread_mutex_t *lock = here < there ? &first : &second; // UNKNOWN! a comparison of addresses outside of their objects
    pthread_mutex_lock(lock);
    counter++;
    pthread_mutex_unlock(lock);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
