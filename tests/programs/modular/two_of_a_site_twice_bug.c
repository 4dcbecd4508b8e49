// selvedge: race=safe memory=unsafe
// The one is freed twice and the other not at all.
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
    if (*kept == 1)
        free(dropped); // MEMORY! freed
    return argument;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, 0);
    }
    return 0;
}
