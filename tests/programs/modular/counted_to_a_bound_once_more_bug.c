// selvedge: assertion=unsafe
// flags: --property assertion --timeout 20
// INFINITE: any number of threads, numbers of 32 bits
// The loop is left a round too late.
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);

void *worker(void *arg)
{
    unsigned n = __VERIFIER_nondet_uint(), sum = 0, i;
    if (n > 1000)
        return 0;
    for (i = 0; i <= n; i++)
        sum += 2;
    assert(i == n); // FAIL!
    assert(sum == 2 * n); // the assertion before fails first
    return 0;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
