// selvedge: race=unsafe
// flags: --setup init --concurrent add,tick --property race --stop-on-fail
// Where a timer goes is computed before the lock is taken.
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
    unsigned place = (wheel->now + delay) % PLACES; // RACE! wheel
    pthread_mutex_lock(&wheel->lock);
    wheel->due[place]++;
    pthread_mutex_unlock(&wheel->lock);
    return 0;
}

unsigned tick(struct wheel *wheel) {
    pthread_mutex_lock(&wheel->lock);
    unsigned fired = wheel->due[wheel->now];
    wheel->due[wheel->now] = 0;
    wheel->now = (wheel->now + 1) % PLACES; // RACE! wheel
    pthread_mutex_unlock(&wheel->lock);
    return fired;
}
