// Times and random numbers that are only printed decide nothing.
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static int shared;

static void *worker(void *unused)
{
    shared = 1;
    return unused;
}

int main(void)
{
    struct timeval begin, end;
    pthread_t thread;
    gettimeofday(&begin, NULL);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    gettimeofday(&end, NULL);
    double seconds = (end.tv_sec - begin.tv_sec) + (end.tv_usec - begin.tv_usec) / 1e6;
    double part = (double)rand() / RAND_MAX;
    printf("%f %g\n", seconds, sqrt(part) + floor(part));
    assert(shared == 1);
    return 0;
}
