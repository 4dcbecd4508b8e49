// selvedge: race=unsafe
// flags: --setup init --concurrent begin_read+peek+end_read,begin_write+poke(_,1)+end_write --property race --stop-on-fail
// Readers who have waited do not look again, and are there beside the next writer.
#include <assert.h>
#include <pthread.h>

struct guarded {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int readers;
    int is_written;
    int data;
};

void init(struct guarded *g) {
    pthread_mutex_init(&g->mutex, 0);
    pthread_cond_init(&g->changed, 0);
}

void begin_read(struct guarded *g) {
    pthread_mutex_lock(&g->mutex);
    if (g->is_written)
        pthread_cond_wait(&g->changed, &g->mutex);
    g->readers++;
    pthread_mutex_unlock(&g->mutex);
}

void end_read(struct guarded *g) {
    pthread_mutex_lock(&g->mutex);
    g->readers--;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->mutex);
}

void begin_write(struct guarded *g) {
    pthread_mutex_lock(&g->mutex);
    while (g->is_written || g->readers > 0)
        pthread_cond_wait(&g->changed, &g->mutex);
    g->is_written = 1;
    pthread_mutex_unlock(&g->mutex);
}

void end_write(struct guarded *g) {
    pthread_mutex_lock(&g->mutex);
    assert(g->is_written);
    g->is_written = 0;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->mutex);
}

int peek(struct guarded *g) {
    return g->data; // RACE! g
}

void poke(struct guarded *g, int data) {
    g->data = data; // RACE! g
}
