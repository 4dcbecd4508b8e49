// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// Two threads add to each other's number; the largest results need perfect alternation.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int i = 1, j = 1;

static void *first(void *unused)
{
    for (int k = 0; k < 2; k++)
        atomic_fetch_add(&i, atomic_load(&j));
    return unused;
}

static void *second(void *unused)
{
    for (int k = 0; k < 2; k++)
        atomic_fetch_add(&j, atomic_load(&i));
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(i <= 8 && j <= 8);
    assert(i < 8 && j < 8); // FAIL!
    return 0;
}
