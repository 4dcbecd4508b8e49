// selvedge: deadlock=unknown
// A held lock moves with the memory it lies in.
#include <pthread.h>
#include <stdlib.h>

struct slot {
    pthread_mutex_t lock;
    int value;
};

static void *grown(void *old, unsigned long size)
{
    return realloc(old, size); // UNKNOWN! a lock that is in use
}

int main(void)
{
    struct slot *slots = calloc(1, sizeof *slots);
    pthread_mutex_lock(&slots[0].lock);
    slots = grown(slots, 2 * sizeof *slots);
    pthread_mutex_lock(&slots[0].lock);
    free(slots);
    return 0;
}
