// selvedge: assertion=safe
// flags: --property assertion
// INFINITE: any number of threads
// Every thread counts for itself.
#include <assert.h>
#include <pthread.h>

_Thread_local int mine;

void *worker(void *argument) {
    for (;;) {
        mine = 0;
        mine++;
        assert(mine == 1);
    }
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, 0);
    }
}
