/* Lamport's bakery for two threads with tickets up to 3: who draws a higher one goes back. */
#include <pthread.h>
#include <stdatomic.h>

atomic_bool choosing[2];
atomic_uchar ticket[2];

static void enter(int me) {
    int other = 1 - me;
    choosing[me] = 1;
    unsigned char mine = ticket[other] + 1;
    if (mine > 3) {
        choosing[me] = 0;
        return;
    }
    ticket[me] = mine;
    choosing[me] = 0;
    while (choosing[other]) { }
    for (;;) {
        unsigned char theirs = ticket[other];
        if (theirs == 0 || mine < theirs || (mine == theirs && me < other)) break;
    }
critical:
    ticket[me] = 0;
}

void *first(void *arg) {
    for (;;) enter(0);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, first, 0);
    for (;;) enter(1);
}
