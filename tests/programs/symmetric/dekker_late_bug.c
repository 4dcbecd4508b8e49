// selvedge: assertion=unsafe race=unsafe memory=safe
// flags: --property assertion --property race --property memory
// THREADS: 2
// One says that it wants to get in when it is about to.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants_0, wants_1, turn;
int inside;

void critical(void)
{
    inside = 1; // RACE! inside
    assert(inside == 1); // FAIL! RACE! inside
    inside = 0; // RACE! inside
}

void *zero(void *arg)
{
    wants_0 = 1;
    while (wants_1) {
        if (turn != 0) {
            wants_0 = 0;
            while (turn != 0) {
            }
            wants_0 = 1;
        }
    }
    critical();
    turn = 1;
    wants_0 = 0;
    return 0;
}

void *one(void *arg)
{
    while (wants_0) {
        if (turn != 1) {
            while (turn != 1) {
            }
        }
    }
    wants_1 = 1;
    critical();
    turn = 0;
    wants_1 = 0;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, zero, 0);
    pthread_create(&t, 0, one, 0);
    pthread_exit(0);
}
