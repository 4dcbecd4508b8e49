// selvedge: race=safe memory=unsafe
// What a thread leaves under a key is freed when it ends, though it has freed it itself.
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void destroy(void *value) {
    free(value); // MEMORY!
}

static void *worker(void *argument) {
    int *value = malloc(sizeof *value);
    pthread_setspecific(key, value);
    free(value);
    return argument;
}

int main(void) {
    pthread_key_create(&key, destroy);
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, 0);
    }
    return 0;
}
