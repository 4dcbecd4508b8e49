// selvedge: assertion=unsafe race=unsafe
// Who is joined may have started somebody who is not: there are others still.
#include <assert.h>
#include <pthread.h>

static int value;

static void *child(void *argument) {
    value = 1; // RACE! value
    return argument;
}

static void *worker(void *argument) {
    pthread_t thread;
    pthread_create(&thread, 0, child, 0);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    value = 2; // RACE! value
    assert(value == 2); // RACE! value FAIL!
    return 0;
}
