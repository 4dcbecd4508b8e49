// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A section may contain a lock that is free.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *unused)
{
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&lock);
    x++; // NORACE
    pthread_mutex_unlock(&lock);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 2);
    return 0;
}
