// Condition variables: signals, lost signals, spurious wake-ups, time-outs.
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, woken;

#if CASE == 0
static void *wait(void *unused)
{
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    woken++;
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, wait, 0);
    pthread_create(&b, 0, wait, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_cond_destroy(&c);
    return woken; // EXPECT[0]: exit 2
}
#elif CASE == 1
// A wait without a loop: a spurious wake-up gets through, and a signal that comes too early is lost.
static void *wait(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    woken = ready ? 1 : 2;
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, wait, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return woken; // EXPECT[1]: exit 1 | exit 2 | deadlock
}
#elif CASE == 2
int main(void)
{
    pthread_cond_wait(&c, &m); // EXPECT[2]: undefined UnlockNotHeld
}
#elif CASE == 3
int main(void)
{
    struct timespec when = { 0, 0 };
    pthread_mutex_lock(&m);
    int status = pthread_cond_timedwait(&c, &m, &when);
    pthread_mutex_unlock(&m);
    return status; // EXPECT[3]: exit 0 | exit 110
}
#elif CASE == 4
int main(void)
{
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m); // EXPECT[4]: deadlock
}
#elif CASE == 5
// One signal wakes one of two; the other stays asleep for good, but for spurious wake-ups.
static void *wait(void *unused)
{
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    ready = 0;
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, wait, 0);
    pthread_create(&b, 0, wait, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0; // EXPECT[5]: deadlock
}
#elif CASE == 6
static void *wait(void *unused)
{
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_wait(&c, &m); // EXPECT[6]: exit 3
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, wait, 0);
    pthread_mutex_lock(&m);
    if (ready)
        pthread_cond_destroy(&c); // EXPECT[6]: undefined DestroyInUse
    return 3;
}
#elif CASE == 7
// A recursive mutex is given up completely and taken again as often.
static pthread_mutex_t r;
static void *wake(void *unused)
{
    pthread_mutex_lock(&r);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&r);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&r, &attr);
    if (pthread_cond_wait(&c, &r) != EPERM)
        return 1;
    pthread_mutex_lock(&r);
    pthread_mutex_lock(&r);
    pthread_create(&t, 0, wake, 0);
    while (!ready)
        pthread_cond_wait(&c, &r);
    int status = pthread_mutex_unlock(&r) + pthread_mutex_unlock(&r);
    pthread_join(t, 0);
    return 10 * status + pthread_mutex_unlock(&r); // EXPECT[7]: deadlock
}
#endif
