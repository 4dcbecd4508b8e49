#include <assert.h>
#include <pthread.h>
#include <time.h>

static struct timespec first, second;

static void *worker(void *unused)
{
    clock_gettime(CLOCK_MONOTONIC, &second);
    return unused;
}

int main(void)
{
    pthread_t thread;
    clock_gettime(CLOCK_MONOTONIC, &first);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    assert(first.tv_sec >= 0 && first.tv_nsec < 1000000000);
    assert(second.tv_sec > first.tv_sec || (second.tv_sec == first.tv_sec && second.tv_nsec >= first.tv_nsec));
    return 0;
}
