// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// flags: --engine interference
// Parts of objects that are written, with long stretches between them that nobody touches.
#include <assert.h>
#include <pthread.h>

struct wide {
    char first;
    char gap[200];
    int last;
} shared;

static void *worker(void *argument) {
    struct wide mine;
    mine.first = 1;
    mine.last = 2;
    ((struct wide *)argument)->last = mine.first + mine.last;
    return 0;
}

int main(void) {
    char near[64], far[1 << 24];
    near[0] = 1;
    near[63] = 2;
    far[5] = 3;
    far[(1 << 24) - 1] = 4;
    pthread_t thread;
    pthread_create(&thread, 0, worker, &shared);
    shared.first = near[0] + near[63];
    pthread_join(thread, 0);
    assert(shared.first == 3 && shared.last == 3);
    assert(far[5] + far[(1 << 24) - 1] == 7);
    return 0;
}
