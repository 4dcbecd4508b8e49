// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// Outside of a section the same variable is accessed plainly.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x;

static void *inside(void *unused)
{
    __VERIFIER_atomic_begin();
    x = 1; // RACE! x
    __VERIFIER_atomic_end();
    return unused;
}

static void *outside(void *unused)
{
    x = 2; // RACE! x
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, inside, NULL);
    pthread_create(&t2, NULL, outside, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
