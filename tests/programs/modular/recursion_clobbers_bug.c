// selvedge: assertion=unsafe race=safe
// A flag of the outer call is not what the inner call leaves in its own, and the result of the inner call is not the outer one's.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static int depth_of(int n)
{
    int is_inner = n == 0;
    int below = 0;
    if (n > 0 && n < 3)
        below = depth_of(n - 1);
    if (!is_inner && n == 1)
        assert(below == 0); // FAIL!
    return is_inner ? 1 : below + 1;
}

static void *client(void *unused)
{
    for (;;)
        depth_of(__VERIFIER_nondet_int());
    return unused;
}

int main(void)
{
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, NULL, client, NULL);
    }
}
