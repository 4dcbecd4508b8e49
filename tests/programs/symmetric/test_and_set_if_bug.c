// selvedge: assertion=unsafe race=unsafe memory=safe
// flags: --property assertion --property race --property memory
// INFINITE: any number of threads
// THREADS: 2
// Who finds the lock taken does not wait.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_flag lock = ATOMIC_FLAG_INIT;
int inside;

void *worker(void *arg)
{
    for (;;) {
        if (atomic_flag_test_and_set(&lock)) {
        }
        inside++; // RACE! inside
        assert(inside == 1); // FAIL! RACE! inside
        inside--; // RACE! inside
        atomic_flag_clear(&lock);
    }
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
