/* Peterson's algorithm as in Section 2 of the paper: A sets the flag, B gives the turn away, C waits, D is critical. */
#include <pthread.h>
#include <stdatomic.h>

atomic_bool x, y, turn;

void *first(void *arg) {
    for (;;) {
    A:  x = 1;
    B:  turn = 1;
    C:  while (y && turn) { }
    D:  x = 0;
    }
}

void *second(void *arg) {
    for (;;) {
    A:  y = 1;
    B:  turn = 0;
    C:  while (x && !turn) { }
    D:  y = 0;
    }
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, first, 0);
    second(0);
}
