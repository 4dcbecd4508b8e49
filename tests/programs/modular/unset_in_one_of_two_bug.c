// selvedge: assertion=unsafe
// The same with two arrays of one place in the source: whatever is known of the second, the first has not been written.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);
static int flag;

static int **make(void) {
    return malloc(40 * sizeof(int *));
}

static void *worker(void *argument) {
    int **first = make();
    int **second = make();
    unsigned index = __VERIFIER_nondet_bool() ? 39 : 0;
    int *found = first[index];
    assert(found != &flag); // FAIL!
    second[index] = 0;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    return 0;
}
