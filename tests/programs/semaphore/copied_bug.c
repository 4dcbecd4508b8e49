// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
// The copy of a semaphore has the value of the original, which is 0 by then.
#include <semaphore.h>

static sem_t a, b;

int main(void)
{
    sem_init(&a, 0, 1);
    sem_init(&b, 0, 1);
    sem_wait(&a);
    b = a;
    sem_wait(&b); // DEADLOCK!
    return 0;
}
