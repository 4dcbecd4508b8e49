// selvedge: memory=unsafe
// flags: --property memory --timeout 5
// INFINITE: any number of threads
// It is looked at after it was freed.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *worker(void *argument) {
    for (;;) {
        int *cell = malloc(sizeof *cell);
        *cell = 3;
        free(cell);
        assert(*cell == 3); // MEMORY! freed
    }
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, 0);
    }
}
