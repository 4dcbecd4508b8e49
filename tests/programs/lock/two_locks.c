// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
// Each thread holds a lock, but not the same.
#include <assert.h>
#include <pthread.h>

static int x;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused)
{
    pthread_mutex_lock(&a);
    x++; // RACE! x
    pthread_mutex_unlock(&a);
    return unused;
}

static void *second(void *unused)
{
    pthread_mutex_lock(&b);
    x++; // RACE! x
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 2); // FAIL!
    return 0;
}
