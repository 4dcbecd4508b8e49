// selvedge: assertion=unsafe?
// flags: --property assertion --timeout 3
// INFINITE: any number of readers, a sequence number of 32 bits
// A reader that is interrupted between the halves for 2^31 rounds of the writer sees the number that it has seen before.
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
        atomic_fetch_add(&sequence, 1);
        atomic_store(&first, x);
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
