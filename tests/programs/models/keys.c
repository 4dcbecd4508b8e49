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
// Destructors run at the end of a thread that has set a value, however it ends, but not at the end of main.
static int destroyed;
static void destroy(void *value)
{
    destroyed += *(int *)value;
    if (pthread_getspecific(first) != 0)
        destroyed += 50;
}
static void *leave(void *argument)
{
    pthread_setspecific(first, argument);
    pthread_exit(argument);
}
static void *finish(void *argument)
{
    pthread_setspecific(second, argument);
    return argument;
}
int main(void)
{
    pthread_t t;
    int ten = 10, three = 3, no = 100;
    void *result;
    pthread_key_create(&first, destroy);
    pthread_key_create(&second, 0);
    pthread_setspecific(first, &no);
    pthread_create(&t, 0, leave, &ten);
    pthread_join(t, &result);
    pthread_create(&t, 0, finish, &no);
    pthread_join(t, 0);
    pthread_key_delete(first);
    pthread_create(&t, 0, leave, &no);
    pthread_join(t, 0);
    return destroyed + (result == &ten) * three; // EXPECT[1]: exit 13
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
