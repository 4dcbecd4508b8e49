// selvedge: deadlock=safe memory=safe race=safe
// flags: --engine interference
// The new thread cannot move before the section is over, and then the mutex is there.
#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_mutex_destroy(&m);
    __VERIFIER_atomic_begin();
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_init(&m, NULL);
    __VERIFIER_atomic_end();
    pthread_join(t, NULL);
    return 0;
}
