// selvedge: assertion=safe race=safe memory=safe
// flags: --property assertion --property race --property memory
// INFINITE: any number of threads
// One at a time, by a test-and-set lock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_flag lock = ATOMIC_FLAG_INIT;
int inside;

void *worker(void *arg)
{
    for (;;) {
        while (atomic_flag_test_and_set(&lock)) {
        }
        inside++;
        assert(inside == 1);
        inside--;
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
