// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second); // DEADLOCK!
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *one(void *unused)
{
    both(&a, &b);
    return unused;
}

static void *two(void *unused)
{
    both(&b, &c);
    return unused;
}

static void *three(void *unused)
{
    both(&c, &a);
    return unused;
}

int main(void)
{
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_create(&t3, NULL, three, NULL);
    pthread_join(t1, NULL); // DEADLOCK!
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
