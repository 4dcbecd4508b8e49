// selvedge: assertion=unsafe race=safe
// flags: --engine explicit
// The struct is loaded and stored as one, but between the two another thread changes it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    unsigned a, b;
};

static _Atomic struct pair pair;

static void *add(void *argument) {
    struct pair seen = atomic_load(&pair);
    seen.a++;
    seen.b += 2;
    atomic_store_explicit(&pair, seen, memory_order_seq_cst);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    add(0);
    pthread_join(thread, 0);
    struct pair last = {7, 7};
    struct pair found = atomic_exchange(&pair, last);
    assert(found.b == 2 * found.a);
    assert(found.a == 2); // FAIL!
    return 0;
}
