// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Whoever takes the pointer out frees it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;

static void *worker(void *unused)
{
    free(atomic_exchange(&shared, NULL));
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    atomic_store(&shared, malloc(sizeof(int)));
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
