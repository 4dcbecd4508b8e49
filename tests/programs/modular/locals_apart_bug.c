// selvedge: assertion=unknown
// The locals of two threads are two objects, though it is one function's local: how far apart they are nobody knows.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(char *) last;

static void *worker(void *argument) {
    char own[4];
    char *other = atomic_exchange(&last, own);
    if (other)
        assert(other - own == 0); // UNKNOWN! numeric address
    return argument;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, 0);
    }
    return 0;
}
