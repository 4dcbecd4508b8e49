// selvedge: assertion=safe memory=safe
// flags: --property assertion --property memory
// INFINITE: any number of threads
// Every thread has memory of its own, again and again.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *worker(void *argument) {
    for (;;) {
        int *cell = malloc(sizeof *cell);
        *cell = 3;
        assert(*cell == 3);
        free(cell);
    }
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, 0);
    }
}
