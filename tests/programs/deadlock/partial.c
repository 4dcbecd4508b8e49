// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Two threads are stuck for ever, but a third always moves: no deadlock of the program.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *stuck(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    return unused;
}

static void *running(void *unused)
{
    for (;;) {
    }
    return unused;
}

int main(void)
{
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, stuck, NULL);
    pthread_create(&t2, NULL, stuck, NULL);
    pthread_create(&t3, NULL, running, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
