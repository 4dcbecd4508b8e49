// selvedge: assertion=safe
// flags: --property assertion --timeout 20
// INFINITE: any number of threads, numbers of 32 bits
// A loop that counts up to a bound that is no constant: afterwards the counter is the bound, and what grew along with it
// is in proportion.
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);

void *worker(void *arg)
{
    unsigned n = __VERIFIER_nondet_uint(), sum = 0, i;
    if (n > 1000)
        return 0;
    for (i = 0; i < n; i++)
        sum += 2;
    assert(i == n);
    assert(sum == 2 * n);
    return 0;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
