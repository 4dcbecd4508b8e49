// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
// A spinning thread that cannot get its lock counts as waiting.
#include <pthread.h>

static pthread_spinlock_t lock;

static void *worker(void *unused)
{
    pthread_spin_lock(&lock); // DEADLOCK!
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL); // DEADLOCK!
    pthread_join(t2, NULL); // DEADLOCK!
    return 0;
}
