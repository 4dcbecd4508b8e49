// selvedge: assertion=safe
// flags: --property assertion
// INFINITE: any number of readers, a sequence number of 32 bits
// A writer makes the sequence number odd while it writes; readers that saw it even and unchanged have seen both halves. The
// writer ends before the number wraps around.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

atomic_uint sequence;
atomic_int first, second;

void *writer(void *arg)
{
    while (atomic_load(&sequence) < 1000000000) {
        int x = __VERIFIER_nondet_int();
        atomic_fetch_add(&sequence, 1);
        atomic_store(&first, x);
        atomic_store(&second, x);
        atomic_fetch_add(&sequence, 1);
    }
    return 0;
}

void *reader(void *arg)
{
    for (;;) {
        unsigned before = atomic_load(&sequence);
        int a = atomic_load(&first), b = atomic_load(&second);
        if (before % 2 == 0 && atomic_load(&sequence) == before)
            assert(a == b);
    }
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    for (;;)
        pthread_create(&t, 0, reader, 0);
}
