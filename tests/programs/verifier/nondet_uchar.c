// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
static unsigned char a, b;

static void *worker(void *unused)
{
    a = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(a < 3);
    b = a * 2;
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    assert(b <= 4 && b % 2 == 0);
    return 0;
}
