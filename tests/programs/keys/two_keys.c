// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static pthread_key_t a, b;
static int x, y;

static void *worker(void *unused)
{
    pthread_setspecific(a, &x);
    pthread_setspecific(b, &y);
    assert(pthread_getspecific(a) == &x && pthread_getspecific(b) == &y);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_key_create(&a, NULL);
    pthread_key_create(&b, NULL);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(a != b);
    return 0;
}
