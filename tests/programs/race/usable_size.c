// selvedge: race=unsafe deadlock=safe memory=unsafe
// flags: --engine interference
// Asking for the size of memory races with its release.
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

static void *memory;

static void *release(void *unused)
{
    free(memory); // RACE! heap
    return unused;
}

int main(void)
{
    pthread_t thread;
    memory = malloc(4);
    pthread_create(&thread, 0, release, 0);
    malloc_usable_size(memory); // RACE! heap MEMORY! freed
    pthread_join(thread, 0);
    return 0;
}
