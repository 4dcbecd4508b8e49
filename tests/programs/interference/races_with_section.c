// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// flags: --engine interference
// While the section is under way, the new thread stands before its first access.
#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x, y, *p = &y;
static void *work(void *unused)
{
    *p = 1; // RACE! p
    return unused;
}
int main(void)
{
    pthread_t t;
    __VERIFIER_atomic_begin();
    pthread_create(&t, NULL, work, NULL);
    p = &x; // RACE! p
    x = 2;
    __VERIFIER_atomic_end();
    y = 3;
    pthread_join(t, NULL);
    assert(x == 1);
    return 0;
}
