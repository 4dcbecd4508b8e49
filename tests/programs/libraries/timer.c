// selvedge: race=safe
// flags: --setup init --concurrent add,tick --engine modular --property race
// A wheel of timers: how many are due at each of its places.
#include <assert.h>
#include <pthread.h>

#define PLACES 4

struct wheel {
    pthread_mutex_t lock;
    unsigned now;
    unsigned due[PLACES];
};

void init(struct wheel *wheel) {
    pthread_mutex_init(&wheel->lock, 0);
    wheel->now = 0;
}

int add(struct wheel *wheel, unsigned delay) {
    if (delay >= PLACES)
        return -1;
    pthread_mutex_lock(&wheel->lock);
    wheel->due[(wheel->now + delay) % PLACES]++;
    pthread_mutex_unlock(&wheel->lock);
    return 0;
}

unsigned tick(struct wheel *wheel) {
    pthread_mutex_lock(&wheel->lock);
    assert(wheel->now < PLACES);
    unsigned fired = wheel->due[wheel->now];
    wheel->due[wheel->now] = 0;
    wheel->now = (wheel->now + 1) % PLACES;
    pthread_mutex_unlock(&wheel->lock);
    return fired;
}
