// selvedge: assertion=unsafe race=safe
// What a function holds while it calls itself is its own again afterwards: the sum is not what the innermost call has.
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);

static unsigned last(unsigned n)
{
    unsigned own = n;
    if (n > 0)
        last(n - 1);
    return own;
}

static void *client(void *unused)
{
    for (;;)
        assert(last(__VERIFIER_nondet_uint()) == 0); // FAIL!
    return unused;
}

int main(void)
{
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, NULL, client, NULL);
    }
}
