// selvedge: assertion=unsafe race=unsafe memory=safe
// flags: --property assertion --property race --property memory
// THREADS: 2
// One does not wait until the other one is done.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int first, second, busy_1, busy_2;
int inside;

void critical(void)
{
    inside = 1; // RACE! inside
    assert(inside == 1); // FAIL! RACE! inside
    inside = 0; // RACE! inside
}

void *one(void *arg)
{
    for (;;) {
        busy_1 = 1;
        first = 1;
        if (second != 0) {
            busy_1 = 0;
            while (second != 0) {
            }
            continue;
        }
        second = 1;
        if (first != 1) {
            busy_1 = 0;
            while (busy_2) {
            }
            if (second != 1) {
                while (second != 0) {
                }
                continue;
            }
        }
        break;
    }
    critical();
    second = 0;
    busy_1 = 0;
    return 0;
}

void *two(void *arg)
{
    for (;;) {
        busy_2 = 1;
        first = 2;
        if (second != 0) {
            busy_2 = 0;
            while (second != 0) {
            }
            continue;
        }
        second = 2;
        if (first != 2) {
            busy_2 = 0;
            if (second != 2) {
                while (second != 0) {
                }
                continue;
            }
        }
        break;
    }
    critical();
    second = 0;
    busy_2 = 0;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_exit(0);
}
