// Semaphores; errors come through errno.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t s;
static int shared;

#if CASE == 0
static void *produce(void *unused)
{
    shared = 7;
    sem_post(&s);
    return unused;
}
int main(void)
{
    pthread_t t;
    int left;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, produce, 0);
    sem_wait(&s);
    int seen = shared;
    pthread_join(t, 0);
    sem_getvalue(&s, &left);
    sem_destroy(&s);
    return seen + left; // EXPECT[0]: exit 7
}
#elif CASE == 1
int main(void)
{
    sem_init(&s, 0, 1);
    if (sem_trywait(&s) != 0)
        return 1;
    if (sem_trywait(&s) != -1)
        return 2;
    return errno; // EXPECT[1]: exit 11
}
#elif CASE == 2
int main(void)
{
    struct timespec when = { 0, 0 };
    sem_init(&s, 0, 0);
    return sem_timedwait(&s, &when) == -1 ? errno : 0; // EXPECT[2]: exit 110
}
#elif CASE == 3
int main(void)
{
    sem_wait(&s); // EXPECT[3]: deadlock
}
#elif CASE == 4
int main(void)
{
    sem_init(&s, 0, 2147483647);
    return sem_post(&s) == -1 ? errno : 0; // EXPECT[4]: exit 75
}
#elif CASE == 5
int main(void)
{
    unsigned value = 2147483648u;
    return sem_init(&s, 0, value) == -1 ? errno : 0; // EXPECT[5]: exit 22
}
#elif CASE == 6
int main(void)
{
    sem_destroy(&s);
    sem_post(&s); // EXPECT[6]: undefined UseAfterDestroy
}
#elif CASE == 7
int main(void)
{
    sem_t *named = sem_open("/name", 0); // EXPECT[7]: unsupported call of `sem_open`: named semaphores are not modelled
    return named == 0;
}
#elif CASE == 8
static void *own(void *unused)
{
    return sem_trywait(&s) == -1 ? (void *)(long)errno : unused;
}
int main(void)
{
    pthread_t t;
    void *other;
    pthread_create(&t, 0, own, 0);
    pthread_join(t, &other);
    return errno + (int)(long)other; // EXPECT[8]: exit 11
}
#endif
