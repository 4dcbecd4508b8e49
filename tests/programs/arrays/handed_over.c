// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Written before the thread starts: no other thread gets in the way.
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);
static int table[4096];

static void *look(void *unused)
{
    unsigned i = __VERIFIER_nondet_uint();
    (void)unused;
    if (i < 4096)
        assert(table[i] == 0 || table[i] == 7);
    return 0;
}

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();
    pthread_t thread;
    if (i >= 4096)
        return 0;
    table[i] = 7;
    pthread_create(&thread, 0, look, 0);
    pthread_join(thread, 0);
    return 0;
}
