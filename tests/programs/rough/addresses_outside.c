// selvedge: race=safe
// Which of two addresses is the lower one is not known where one lies outside of its object; the counter is guarded either way.
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static char low[8], high[8];
static int counter;

static void *worker(void *unused)
{
    uintptr_t here = (uintptr_t)low + 64, there = (uintptr_t)high;
    if (here < there) {
        pthread_mutex_lock(&second);
        pthread_mutex_lock(&first);
    } else {
        pthread_mutex_lock(&first);
    }
    counter++;
    pthread_mutex_unlock(&first);
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
