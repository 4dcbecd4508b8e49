// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>

static pthread_spinlock_t lock;

static void *locker(void *unused)
{
    pthread_spin_lock(&lock);
    return unused;
}

static void *unlocker(void *unused)
{
    pthread_spin_unlock(&lock); // MEMORY! unlocks what this thread does not hold
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t1, NULL, locker, NULL);
    pthread_create(&t2, NULL, unlocker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
