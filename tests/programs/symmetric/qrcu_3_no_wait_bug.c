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
atomic_int progress_1, progress_2;

void *reader_1(void *arg)
{
    int own = side;
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(own == 0 ? count_0 > 0 : count_1 > 0);
    if (own == 0)
        count_0++;
    else
        count_1++;
    __VERIFIER_atomic_end();
    progress_1 = 1;
    progress_1 = 2;
    if (own == 0)
        count_0--;
    else
        count_1--;
    return 0;
}

void *reader_2(void *arg)
{
    int own = side;
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(own == 0 ? count_0 > 0 : count_1 > 0);
    if (own == 0)
        count_0++;
    else
        count_1++;
    __VERIFIER_atomic_end();
    progress_2 = 1;
    progress_2 = 2;
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
    _Bool was_reading_1 = progress_1 == 1;
    _Bool was_reading_2 = progress_2 == 1;
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
    assert(!was_reading_1 || progress_1 != 1); // FAIL!
    assert(!was_reading_2 || progress_2 != 1); // FAIL!
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, reader_1, 0);
    pthread_create(&t, 0, reader_2, 0);
    pthread_create(&t, 0, updater, 0);
    pthread_exit(0);
}
