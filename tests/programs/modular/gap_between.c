// selvedge: assertion=safe
// flags: --property assertion --timeout 60
// INFINITE: any number of threads, numbers of 32 bits
// Two numbers that both grow, the lower one only where there is room: only their difference is looked at in the end.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int low, high = 10;

void *worker(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        if (high < 1000000)
            high += 3;
        if (low < 500000 && low + 5 < high)
            low += 2;
        pthread_mutex_unlock(&m);
    }
}

void *watcher(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        int gap = high - low;
        assert(gap > 0);
        pthread_mutex_unlock(&m);
    }
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
        pthread_create(&t, 0, watcher, 0);
    }
}
