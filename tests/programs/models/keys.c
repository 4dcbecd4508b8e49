// Thread-specific data.
#include <pthread.h>
#include <threads.h>

static pthread_key_t first, second;

#if CASE == 0
static void *own(void *argument)
{
    if (pthread_getspecific(first) != 0)
        return (void *)1;
    pthread_setspecific(first, argument);
    return pthread_getspecific(first) == argument ? 0 : (void *)2;
}
int main(void)
{
    pthread_t t;
    int here, there;
    void *wrong;
    pthread_key_create(&first, 0);
    pthread_key_create(&second, 0);
    pthread_setspecific(first, &here);
    pthread_setspecific(second, &there);
    pthread_create(&t, 0, own, &there);
    pthread_join(t, &wrong);
    if (pthread_getspecific(first) != &here || pthread_getspecific(second) != &there)
        return 3;
    pthread_key_delete(first);
    return wrong != 0; // EXPECT[0]: exit 0
}
#elif CASE == 1
static void destroy(void *value)
{
    *(int *)value = 1;
}
int main(void)
{
    pthread_key_create(&first, destroy); // EXPECT[1]: unsupported a destructor of thread-specific data (`pthread_key_create`)
}
#elif CASE == 2
int main(void)
{
    tss_t key;
    int value;
    if (tss_create(&key, 0) != thrd_success || tss_get(key) != 0)
        return 1;
    tss_set(key, &value);
    int same = tss_get(key) == &value;
    tss_delete(key);
    return same; // EXPECT[2]: exit 1
}
#endif
