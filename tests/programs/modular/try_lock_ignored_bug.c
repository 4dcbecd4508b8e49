// selvedge: assertion=unsafe race=unsafe
// flags: --property assertion --property race
// INFINITE: any number of threads
// Whether the lock was got is not looked at.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int busy;

void *worker(void *argument) {
    for (;;) {
        int got = pthread_mutex_trylock(&m);
        {
            assert(!busy); // FAIL! RACE! busy
            busy = 1; // RACE! busy
            busy = 0; // RACE! busy
            if (got == 0)
                pthread_mutex_unlock(&m);
        }
    }
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, 0);
    }
}
