/* Two threads count together, but one of them forgets the lock. The sister of counter.c.
   Selvedge finds a data race on `counter`, and the schedule that loses a count: one thread reads the old value, the other
   writes its sum, and the first overwrites it. A lock protects only if everybody takes it. */
// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *careful(void *unused)
{
    pthread_mutex_lock(&lock);
    counter++; // RACE! counter
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *careless(void *unused)
{
    counter++; // RACE! counter
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, careful, NULL);
    pthread_create(&second, NULL, careless, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(counter == 2); // FAIL!
    return 0;
}
