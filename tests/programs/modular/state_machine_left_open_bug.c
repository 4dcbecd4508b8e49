// selvedge: assertion=unsafe race=safe
// flags: --property assertion --property race
// INFINITE: any number of threads
// The handle stays open.
#include <assert.h>
#include <pthread.h>

enum state { IDLE, STARTING, RUNNING, STOPPING };
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
enum state state = IDLE;
int open_handle;

void *driver(void *argument) {
    for (;;) {
        pthread_mutex_lock(&m);
        switch (state) {
        case IDLE:
            assert(!open_handle); // FAIL!
            state = STARTING;
            break;
        case STARTING:
            open_handle = 1;
            state = RUNNING;
            break;
        case RUNNING:
            assert(open_handle);
            state = STOPPING;
            break;
        case STOPPING:
            state = IDLE;
            break;
        }
        pthread_mutex_unlock(&m);
    }
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, driver, 0);
    }
}
