/* Szymanski's algorithm for two threads: a waiting room with a door. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag[2];

static void enter(int me) {
    int other = 1 - me;
    flag[me] = 1;
    while (flag[other] >= 3) { }
    flag[me] = 3;
    if (flag[other] == 1) {
        flag[me] = 2;
        while (flag[other] != 4) { }
    }
    flag[me] = 4;
    if (me == 1)
        while (flag[0] >= 2) { }
critical:
    if (me == 0) {
        int theirs;
        do theirs = flag[1]; while (theirs == 2 || theirs == 3);
    }
    flag[me] = 0;
}

void *first(void *arg) {
    for (;;) enter(0);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, first, 0);
    for (;;) enter(1);
}
