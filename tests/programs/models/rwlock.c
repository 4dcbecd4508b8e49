// Read-write locks.
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int shared;

#if CASE == 0
static void *read(void *unused)
{
    pthread_rwlock_rdlock(&l);
    int seen = shared;
    pthread_rwlock_unlock(&l);
    return seen == 0 || seen == 5 ? unused : (void *)1;
}
int main(void)
{
    pthread_t a, b;
    void *wrong_a, *wrong_b;
    pthread_create(&a, 0, read, 0);
    pthread_create(&b, 0, read, 0);
    pthread_rwlock_wrlock(&l);
    shared = 5;
    pthread_rwlock_unlock(&l);
    pthread_join(a, &wrong_a);
    pthread_join(b, &wrong_b);
    pthread_rwlock_destroy(&l);
    return wrong_a != 0 || wrong_b != 0; // EXPECT[0]: exit 0
}
#elif CASE == 1
int main(void)
{
    pthread_rwlock_unlock(&l); // EXPECT[1]: undefined UnlockNotHeld
}
#elif CASE == 2
int main(void)
{
    pthread_rwlock_rdlock(&l);
    if (pthread_rwlock_tryrdlock(&l) != 0)
        return 1;
    if (pthread_rwlock_trywrlock(&l) != EBUSY)
        return 2;
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    if (pthread_rwlock_trywrlock(&l) != 0)
        return 3;
    if (pthread_rwlock_tryrdlock(&l) != EBUSY)
        return 4;
    if (pthread_rwlock_wrlock(&l) != EDEADLK || pthread_rwlock_rdlock(&l) != EDEADLK)
        return 5;
    return pthread_rwlock_unlock(&l); // EXPECT[2]: exit 0
}
#elif CASE == 3
int main(void)
{
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_wrlock(&l); // EXPECT[3]: deadlock
}
#elif CASE == 4
int main(void)
{
    struct timespec when = { 0, 0 };
    pthread_rwlock_init(&l, 0);
    pthread_rwlock_rdlock(&l);
    return pthread_rwlock_timedwrlock(&l, &when) + pthread_rwlock_timedrdlock(&l, &when); // EXPECT[4]: exit 110
}
#elif CASE == 5
int main(void)
{
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_destroy(&l); // EXPECT[5]: undefined DestroyInUse
}
#elif CASE == 6
int main(void)
{
    pthread_rwlock_timedrdlock(&l, 0); // EXPECT[6]: undefined NullDereference
}
#endif
