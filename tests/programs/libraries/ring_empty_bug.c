// selvedge: race=unsafe
// flags: --setup ring_new --concurrent ring_put,ring_get
// Whether the ring is empty is asked without the lock.
#include <pthread.h>
#include <stdlib.h>

struct ring {
    pthread_spinlock_t lock;
    unsigned head, tail;
    int items[4];
};

struct ring *ring_new(void) {
    struct ring *ring = malloc(sizeof *ring);
    if (!ring)
        return 0;
    pthread_spin_init(&ring->lock, 0);
    ring->head = ring->tail = 0;
    return ring;
}

int ring_put(struct ring *ring, int item) {
    int done = 0;
    pthread_spin_lock(&ring->lock);
    if (ring->tail - ring->head < 4) {
        ring->items[ring->tail % 4] = item;
        ring->tail++; // RACE! heap
        done = 1;
    }
    pthread_spin_unlock(&ring->lock);
    return done;
}

int ring_get(struct ring *ring, int *item) {
    int done = 0;
    if (ring->tail == ring->head) // RACE! heap
        return 0;
    pthread_spin_lock(&ring->lock);
    if (ring->tail != ring->head) {
        *item = ring->items[ring->head % 4];
        ring->head++; // RACE! heap
        done = 1;
    }
    pthread_spin_unlock(&ring->lock);
    return done;
}
