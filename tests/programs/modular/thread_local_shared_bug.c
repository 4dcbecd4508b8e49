// selvedge: assertion=unsafe race=unsafe
// flags: --property assertion --property race
// INFINITE: any number of threads
// They all count in one place.
#include <assert.h>
#include <pthread.h>

int mine;

void *worker(void *argument) {
    for (;;) {
        mine = 0; // RACE! mine
        mine++; // RACE! mine
        assert(mine == 1); // FAIL! RACE! mine
    }
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, 0);
    }
}
