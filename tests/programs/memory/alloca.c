// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <alloca.h>
#include <assert.h>
#include <pthread.h>

static void *inner(void *slot)
{
    *(int *)slot += 1; // NORACE
    return NULL;
}

static void *outer(void *unused)
{
    pthread_t thread;
    int *own = alloca(sizeof *own);
    *own = 1;
    pthread_create(&thread, NULL, inner, own);
    pthread_join(thread, NULL);
    assert(*own == 2);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, outer, NULL);
    pthread_create(&t2, NULL, outer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
