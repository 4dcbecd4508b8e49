// selvedge: race=safe
// flags: --setup ring_new --concurrent ring_put,ring_get --engine modular --property race
// A ring buffer that is made by the library itself, with a spin lock.
#include <pthread.h>
#include <stdlib.h>

struct ring {
    pthread_spinlock_t lock;
    unsigned first, count;
    int items[2];
};

struct ring *ring_new(void) {
    struct ring *ring = malloc(sizeof *ring);
    if (!ring)
        return 0;
    pthread_spin_init(&ring->lock, 0);
    ring->first = ring->count = 0;
    return ring;
}

int ring_put(struct ring *ring, int item) {
    int done = 0;
    pthread_spin_lock(&ring->lock);
    if (ring->count < 2) {
        ring->items[(ring->first + ring->count) % 2] = item;
        ring->count++;
        done = 1;
    }
    pthread_spin_unlock(&ring->lock);
    return done;
}

int ring_get(struct ring *ring, int *item) {
    int done = 0;
    pthread_spin_lock(&ring->lock);
    if (ring->count > 0) {
        *item = ring->items[ring->first];
        ring->first = (ring->first + 1) % 2;
        ring->count--;
        done = 1;
    }
    pthread_spin_unlock(&ring->lock);
    return done;
}
