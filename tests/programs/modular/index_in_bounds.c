// selvedge: assertion=safe
// flags: --property assertion --timeout 20
// INFINITE: any number of threads, numbers of 32 bits
// An index that counts up to the number of elements stays within the array.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

void *worker(void *arg)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 64)
        return 0;
    for (int i = 0; i < n; i++)
        assert(i >= 0 && i < 64);
    return 0;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
