// selvedge: assertion=unsafe race=safe
// flags: --property assertion --property race --timeout 5
// INFINITE: any number of threads
// The inner call writes to the local of the outer one, and their addresses are not the same.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static void walk(int depth, int *above)
{
    int here = depth;
    assert(above != &here);
    if (above)
        *above = 7;
    if (depth > 0 && depth < 3) {
        walk(depth - 1, &here);
        assert(here == depth); // FAIL!
    }
}

static void *client(void *unused)
{
    for (;;)
        walk(__VERIFIER_nondet_int(), 0);
    return unused;
}

int main(void)
{
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, NULL, client, NULL);
    }
}
