// selvedge: assertion=safe race=safe memory=unsafe
// The one that is freed is written to, while another of the same place in the source is alive.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *make(int value) {
    int *made = malloc(sizeof *made);
    *made = value;
    return made;
}

static void *worker(void *argument) {
    int *kept = make(1);
    int *dropped = make(2);
    free(dropped);
    *dropped = 2; // MEMORY! freed
    *kept = 3;
    assert(*kept == 3);
    free(kept);
    return argument;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, 0);
    }
    return 0;
}
