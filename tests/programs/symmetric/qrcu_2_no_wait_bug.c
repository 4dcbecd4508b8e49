// selvedge: assertion=unsafe race=safe memory=safe
// flags: --property assertion --property race --property memory
// THREADS: 2
// Readers are not waited for.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);
_Bool __VERIFIER_nondet_bool(void);

atomic_int side, count_0 = 1, count_1;
atomic_int progress;

void *reader(void *arg)
{
    int own = side;
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(own == 0 ? count_0 > 0 : count_1 > 0);
    if (own == 0)
        count_0++;
    else
        count_1++;
    __VERIFIER_atomic_end();
    progress = 1;
    progress = 2;
    if (own == 0)
        count_0--;
    else
        count_1--;
    return 0;
}

int sum(void)
{
    if (__VERIFIER_nondet_bool()) {
        int one = count_0;
        return one + count_1;
    }
    int one = count_1;
    return one + count_0;
}

void *updater(void *arg)
{
    _Bool was_reading = progress == 1;
    int readers = sum();
    if (readers <= 1)
        readers = sum();
    if (readers > 1) {
        if (side == 0) {
            count_1++;
            side = 1;
            count_0--;
        } else {
            count_0++;
            side = 0;
            count_1--;
            while (count_1 > 0) {
            }
        }
    }
    assert(!was_reading || progress != 1); // FAIL!
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    pthread_create(&t, 0, updater, 0);
    pthread_exit(0);
}
