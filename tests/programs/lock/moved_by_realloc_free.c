// Nobody holds the lock when the memory it lies in moves.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct slot {
    int value;
    pthread_mutex_t lock;
};

static void *grown(void *old, unsigned long size)
{
    return realloc(old, size);
}

int main(void)
{
    struct slot *slots = calloc(1, sizeof *slots);
    pthread_mutex_lock(&slots[0].lock);
    slots[0].value = 7;
    pthread_mutex_unlock(&slots[0].lock);
    slots = grown(slots, 2 * sizeof *slots);
    pthread_mutex_lock(&slots[0].lock);
    assert(slots[0].value == 7);
    pthread_mutex_unlock(&slots[0].lock);
    free(slots);
    return 0;
}
