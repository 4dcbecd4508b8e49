// selvedge: race=unsafe
// flags: --concurrent acquire+fill(_,1)+release --property race --stop-on-fail
// The slot is marked as used after the lock is given back: two callers can get the same one.
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
        if (!slots[i].is_used) // RACE! slots
            found = &slots[i];
    pthread_mutex_unlock(&lock);
    if (found)
        found->is_used = 1; // RACE! slots
    return found;
}

void fill(struct slot *slot, int data) {
    slot->data = data; // RACE! slots
}

void release(struct slot *slot) {
    pthread_mutex_lock(&lock);
    slot->is_used = 0; // RACE! slots
    pthread_mutex_unlock(&lock);
}
