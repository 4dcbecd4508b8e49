// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
// The test and the use are meant to be one: every serial execution is fine, but p may become null between them.
#include <pthread.h>
#include <stdatomic.h>

static int A = 1, a;
static int *_Atomic p;

static void *user(void *unused)
{
    p = &A;
    if (p != NULL)
        a = *p; // MEMORY! dereferences a null pointer
    return unused;
}

static void *other(void *unused)
{
    p = NULL;
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, user, NULL);
    pthread_create(&t2, NULL, other, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return a < 0;
}
