// selvedge: assertion=unsafe
// flags: --property assertion
// What a thread ends with is a pointer, and who joins it looks there.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *worker(void *argument) {
    int *cell = malloc(sizeof *cell);
    *cell = 1;
    return cell;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, &result);
    assert(*(int *)result == 2); // FAIL!
    return 0;
}
