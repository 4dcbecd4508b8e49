// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int x;

static void *locked(void *unused)
{
    pthread_spin_lock(&lock);
    x++; // RACE! x
    pthread_spin_unlock(&lock);
    return unused;
}

static void *unlocked(void *unused)
{
    x++; // RACE! x
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t1, NULL, locked, NULL);
    pthread_create(&t2, NULL, unlocked, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 2); // FAIL!
    return 0;
}
