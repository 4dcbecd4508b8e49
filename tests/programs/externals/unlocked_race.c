// selvedge: race=unsafe
// Streams are locked, but not by these functions.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static FILE *input;

static void *worker(void *unused)
{
    fgetc_unlocked(input); // RACE! heap
    return unused;
}

int main(void)
{
    pthread_t thread;
    input = fopen("input", "r");
    if (!input)
        return 1;
    pthread_create(&thread, 0, worker, 0);
    fgetc_unlocked(input); // RACE! heap
    pthread_join(thread, 0);
    return 0;
}
