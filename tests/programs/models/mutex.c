// Mutexes: ownership, kinds, trying, timing out, destruction.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int shared;

#if CASE == 0
static void *add(void *unused)
{
    pthread_mutex_lock(&m);
    shared++;
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return shared; // EXPECT[0]: exit 2
}
#elif CASE == 1
int main(void)
{
    pthread_mutex_unlock(&m); // EXPECT[1]: undefined UnlockNotHeld
}
#elif CASE == 2
int main(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m); // EXPECT[2]: deadlock
}
#elif CASE == 3
int main(void)
{
    int busy, free = pthread_mutex_trylock(&m);
    busy = pthread_mutex_trylock(&m);
    pthread_mutex_unlock(&m);
    return 10 * free + busy; // EXPECT[3]: exit 16
}
#elif CASE == 4
int main(void)
{
    int status = pthread_mutex_lock(&recursive);
    status += pthread_mutex_lock(&recursive);
    status += pthread_mutex_trylock(&recursive);
    status += pthread_mutex_unlock(&recursive) + pthread_mutex_unlock(&recursive);
    status += pthread_mutex_unlock(&recursive);
    return 100 + status + pthread_mutex_unlock(&recursive); // EXPECT[4]: exit 101
}
#elif CASE == 5
int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutex_t checking;
    int kind;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutexattr_gettype(&attr, &kind);
    pthread_mutex_init(&checking, &attr);
    pthread_mutexattr_destroy(&attr);
    if (kind != PTHREAD_MUTEX_ERRORCHECK || pthread_mutex_unlock(&checking) != EPERM)
        return 1;
    if (pthread_mutex_lock(&checking) != 0 || pthread_mutex_lock(&checking) != EDEADLK)
        return 2;
    return pthread_mutex_unlock(&checking); // EXPECT[5]: exit 0
}
#elif CASE == 6
static void *hold(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void)
{
    pthread_t t;
    struct timespec when = { 0, 0 };
    pthread_create(&t, 0, hold, 0);
    int status = pthread_mutex_timedlock(&m, &when);
    if (status == 0)
        pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return status; // EXPECT[6]: exit 0 | exit 110
}
#elif CASE == 7
int main(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_destroy(&m); // EXPECT[7]: undefined DestroyInUse | exit 0
}
#elif CASE == 8
int main(void)
{
    pthread_mutex_destroy(&m);
    pthread_mutex_init(&m, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_destroy(&m);
    pthread_mutex_lock(&m); // EXPECT[8]: undefined UseAfterDestroy
}
#elif CASE == 9
static void *lock(void *unused)
{
    pthread_mutex_lock(&m); // EXPECT[9]: exit 0
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, lock, 0);
    static volatile int delay; delay = 1; pthread_mutex_init(&m, 0); // EXPECT[9]: race
    pthread_join(t, 0);
    return 0;
}
#elif CASE == 10
int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_NONE);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &attr);
    return pthread_mutex_lock(&m) + pthread_mutex_unlock(&m) + (pthread_mutex_consistent(&m) != EINVAL); // EXPECT[10]: exit 0
}
#elif CASE == 11
static void *unlock(void *unused)
{
    pthread_mutex_unlock(&m); // EXPECT[11]: undefined UnlockNotHeld
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, unlock, 0);
    pthread_join(t, 0);
}
#elif CASE == 12
int main(void)
{
    pthread_mutex_t *none = 0;
    pthread_mutex_lock(none); // EXPECT[12]: undefined NullDereference
}
#elif CASE == 13
int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    return pthread_mutexattr_settype(&attr, 77); // EXPECT[13]: exit 22
}
#endif
