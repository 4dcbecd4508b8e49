// selvedge: assertion=unsafe
// flags: --property assertion
// INFINITE: any number of readers, a sequence number of 32 bits
// The number is not made odd before the first half is written.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

atomic_uint sequence;
atomic_int first, second;

void *writer(void *arg)
{
    for (;;) {
        int x = __VERIFIER_nondet_int();
        atomic_store(&first, x);
        atomic_fetch_add(&sequence, 1);
        atomic_store(&second, x);
        atomic_fetch_add(&sequence, 1);
    }
}

void *reader(void *arg)
{
    for (;;) {
        unsigned before = atomic_load(&sequence);
        int a = atomic_load(&first), b = atomic_load(&second);
        if (before % 2 == 0 && atomic_load(&sequence) == before)
            assert(a == b); // FAIL!
    }
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    for (;;)
        pthread_create(&t, 0, reader, 0);
}
