// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// The pointer can be the address of what another thread writes.
#include <pthread.h>
void *__VERIFIER_nondet_pointer(void);
int x;

void *worker(void *arg)
{
    int *p = __VERIFIER_nondet_pointer();
    if (p == &x)
        *p = 2; // RACE! x
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    x = 1; // RACE! x
    pthread_join(t, 0);
    return 0;
}
