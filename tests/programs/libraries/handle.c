// selvedge: race=safe
// flags: --setup gauge_new --concurrent gauge_add,gauge_get --engine modular --property race
// The set-up stores the address of what all share where its caller says.
#include <pthread.h>
#include <stdlib.h>

struct gauge {
    pthread_mutex_t lock;
    int value;
};

int gauge_new(struct gauge **gauge, int value) {
    *gauge = malloc(sizeof **gauge);
    if (!*gauge)
        return -1;
    pthread_mutex_init(&(*gauge)->lock, 0);
    (*gauge)->value = value;
    return 0;
}

void gauge_add(struct gauge *gauge, int value) {
    pthread_mutex_lock(&gauge->lock);
    gauge->value ^= value;
    pthread_mutex_unlock(&gauge->lock);
}

void gauge_get(struct gauge *gauge, int *value) {
    pthread_mutex_lock(&gauge->lock);
    *value = gauge->value;
    pthread_mutex_unlock(&gauge->lock);
}
