// Both threads write z under lock a. What x and y hold does not matter: the locks alone exclude the race.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x, y, z;

static void *first(void *unused)
{
    pthread_mutex_lock(&a);
    x = y + 1;
    pthread_mutex_lock(&b);
    y = x + z;
    pthread_mutex_unlock(&b);
    z = 1; // NORACE
    pthread_mutex_unlock(&a);
    return unused;
}

static void *second(void *unused)
{
    pthread_mutex_lock(&a);
    y = x + 2;
    pthread_mutex_lock(&b);
    x = y - z;
    pthread_mutex_unlock(&b);
    z = 2; // NORACE
    pthread_mutex_unlock(&a);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
