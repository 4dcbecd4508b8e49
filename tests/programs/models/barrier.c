// Barriers.
#include <errno.h>
#include <pthread.h>

static pthread_barrier_t b;
static int before[2], serial;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

#if CASE == 0
static void *meet(void *argument)
{
    int *own = argument;
    for (int round = 0; round < 2; round++) {
        *own = round + 1;
        int status = pthread_barrier_wait(&b);
        if (before[0] != round + 1 || before[1] != round + 1)
            return (void *)1;
        if (status == PTHREAD_BARRIER_SERIAL_THREAD) {
            pthread_mutex_lock(&m);
            serial++;
            pthread_mutex_unlock(&m);
        }
        pthread_barrier_wait(&b);
    }
    return 0;
}
int main(void)
{
    pthread_t t;
    void *wrong;
    if (pthread_barrier_init(&b, 0, 2) != 0)
        return 9;
    pthread_create(&t, 0, meet, &before[1]);
    if (meet(&before[0]) != 0)
        return 8;
    pthread_join(t, &wrong);
    pthread_barrier_destroy(&b);
    return wrong != 0 ? 7 : serial; // EXPECT[0]: exit 2
}
#elif CASE == 1
int main(void)
{
    return pthread_barrier_init(&b, 0, 0); // EXPECT[1]: exit 22
}
#elif CASE == 2
int main(void)
{
    pthread_barrier_init(&b, 0, 2);
    pthread_barrier_wait(&b); // EXPECT[2]: deadlock
}
#elif CASE == 3
int main(void)
{
    pthread_barrier_wait(&b); // EXPECT[3]: undefined BadArgument
}
#elif CASE == 4
int main(void)
{
    unsigned count = 1;
    pthread_barrier_init(&b, 0, count);
    return 5 + pthread_barrier_wait(&b); // EXPECT[4]: exit 4
}
#elif CASE == 5
static void *meet(void *unused)
{
    pthread_barrier_wait(&b);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, meet, 0);
    static volatile int delay; delay = 1; pthread_barrier_destroy(&b); // EXPECT[5]: undefined DestroyInUse | race
    pthread_join(t, 0);
}
#endif
