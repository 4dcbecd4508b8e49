// selvedge: race=bounded memory=bounded
// flags: --concurrent acquire+fill(_,1)+release --engine explicit --threads 2
// A pool of two slots: what is acquired belongs to the caller until it is released.
#include <pthread.h>
#include <stddef.h>

struct slot {
    int is_used;
    int data;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct slot slots[2];

struct slot *acquire(void) {
    struct slot *found = NULL;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 2 && !found; i++)
        if (!slots[i].is_used)
            found = &slots[i];
    if (found)
        found->is_used = 1;
    pthread_mutex_unlock(&lock);
    return found;
}

void fill(struct slot *slot, int data) {
    slot->data = data;
}

void release(struct slot *slot) {
    pthread_mutex_lock(&lock);
    slot->is_used = 0;
    pthread_mutex_unlock(&lock);
}
