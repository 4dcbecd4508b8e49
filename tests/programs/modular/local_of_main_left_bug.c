// selvedge: race=safe memory=unsafe
// `main` ends its thread and not the process: its local is gone, and a worker still has the address.
#include <pthread.h>

static void *worker(void *argument) {
    int *value = argument;
    *value = 1; // MEMORY!
    return 0;
}

static void leave(void) {
    pthread_exit(0);
}

int main(void) {
    int value = 0;
    pthread_t thread;
    pthread_create(&thread, 0, worker, &value);
    leave();
    return value;
}
