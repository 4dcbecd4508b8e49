// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The pointer is used only where it is the address of what nobody else writes.
#include <pthread.h>
void *__VERIFIER_nondet_pointer(void);
int x, y;

void *worker(void *arg)
{
    int *p = __VERIFIER_nondet_pointer();
    if (p == &y)
        *p = 2; // NORACE
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    x = 1;
    pthread_join(t, 0);
    return 0;
}
