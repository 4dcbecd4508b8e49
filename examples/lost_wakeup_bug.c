/* The lost wake-up: the flag is tested before the lock is taken, and set without it. If the signal comes between the test and
   the wait, nobody hears it, and the waiter sleeps for ever. That the flag is atomic does not help.
   Selvedge reports the deadlock; a spurious wake-up might save the program, but one cannot count on that. */
// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *worker(void *unused)
{
    atomic_store(&ready, 1);
    pthread_cond_signal(&changed);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    while (!atomic_load(&ready)) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&changed, &lock); // DEADLOCK!
        pthread_mutex_unlock(&lock);
    }
    assert(atomic_load(&ready));
    pthread_join(thread, NULL);
    return 0;
}
