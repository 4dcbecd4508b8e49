// selvedge: assertion=unsafe
// Of an array that nobody has written, some element is read: it may be any address.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);
static int flag;
static int **table;

static void *worker(void *argument) {
    unsigned index = __VERIFIER_nondet_bool() ? 39 : 0;
    assert(table[index] != &flag); // FAIL!
    return argument;
}

int main(void) {
    table = malloc(40 * sizeof *table);
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, 0);
    }
    return 0;
}
