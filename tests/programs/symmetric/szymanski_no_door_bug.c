// selvedge: assertion=unsafe race=unsafe memory=safe
// flags: --property assertion --property race --property memory
// THREADS: 2
// The second one does not wait behind the last door.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag_0, flag_1;
int inside;

void critical(void)
{
    inside = 1; // RACE! inside
    assert(inside == 1); // FAIL! RACE! inside
    inside = 0; // RACE! inside
}

void *zero(void *arg)
{
    flag_0 = 1;
    while (flag_1 >= 3) {
    }
    flag_0 = 3;
    if (flag_1 == 1) {
        flag_0 = 2;
        while (flag_1 != 4) {
        }
    }
    flag_0 = 4;
    critical();
    for (int seen = flag_1; seen >= 2 && seen < 4; seen = flag_1) {
    }
    flag_0 = 0;
    return 0;
}

void *one(void *arg)
{
    flag_1 = 1;
    while (flag_0 >= 3) {
    }
    flag_1 = 3;
    if (flag_0 == 1) {
        flag_1 = 2;
        while (flag_0 != 4) {
        }
    }
    flag_1 = 4;
    critical();
    flag_1 = 0;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, zero, 0);
    pthread_create(&t, 0, one, 0);
    pthread_exit(0);
}
