// selvedge: assertion=unsafe race=unsafe
// flags: --property assertion --property race
// INFINITE: any number of threads, counters of 32 bits
// The main thread lowers the limit when others are counting.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int limit = 100, used;

void *worker(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        if (used < limit) // RACE! limit
            used++;
        assert(used <= limit); // FAIL! RACE! limit
        pthread_mutex_unlock(&m);
    }
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
        limit = 0; // RACE! limit
    }
}
