// selvedge: memory=unsafe
// flags: --setup init --concurrent add,tick --property memory --stop-on-fail
// The wheel does not go round: it runs off its end.
#include <pthread.h>

#define PLACES 2

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
    unsigned fired = wheel->due[wheel->now]; // MEMORY! outside
    wheel->due[wheel->now] = 0;
    wheel->now++;
    pthread_mutex_unlock(&wheel->lock);
    return fired;
}
