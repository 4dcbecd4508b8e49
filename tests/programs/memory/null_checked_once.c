// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int x;
static _Atomic(int *) pointer = &x;

static void *user(void *unused)
{
    int *mine = atomic_load(&pointer);
    if (mine != NULL)
        *mine = 1;
    return unused;
}

static void *clearer(void *unused)
{
    atomic_store(&pointer, NULL);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, user, NULL);
    pthread_create(&t2, NULL, clearer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
