// selvedge: assertion=safe race=safe
// flags: --property assertion --property race
// INFINITE: any number of threads, counters of 32 bits
// The main thread sets the limit before it starts the others, which count up to it.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m;
int limit, used;

void *worker(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        if (used < limit)
            used++;
        assert(used <= limit);
        pthread_mutex_unlock(&m);
    }
}

int main(void)
{
    pthread_mutex_init(&m, 0);
    limit = 100;
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
