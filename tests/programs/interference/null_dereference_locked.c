// A lock makes the test and the use one.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int A = 1, a;
static int *p;

static void *user(void *unused)
{
    pthread_mutex_lock(&lock);
    p = &A;
    if (p != NULL)
        a = *p;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *other(void *unused)
{
    pthread_mutex_lock(&lock);
    p = NULL;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, user, NULL);
    pthread_create(&t2, NULL, other, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return a < 0;
}
