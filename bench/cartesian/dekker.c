/* Dekker's algorithm for two threads. */
#include <pthread.h>
#include <stdatomic.h>

atomic_bool wants[2];
atomic_int turn;

static void enter(int me) {
    wants[me] = 1;
    while (wants[1 - me]) {
        if (turn != me) {
            wants[me] = 0;
            while (turn != me) { }
            wants[me] = 1;
        }
    }
critical:
    turn = 1 - me;
    wants[me] = 0;
}

void *first(void *arg) {
    for (;;) enter(0);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, first, 0);
    for (;;) enter(1);
}
