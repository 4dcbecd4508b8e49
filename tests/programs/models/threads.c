// Creation, joining, detaching, exit, clean-up handlers.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

static int shared;
static pthread_t thread;

static void *give(void *argument)
{
    return argument;
}

#if CASE == 0
static void *leave(void *argument)
{
    pthread_exit(argument);
}
int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, 0, leave, &shared);
    sched_yield();
    return pthread_join(t, &result) + (result != &shared) + pthread_equal(t, pthread_self()); // EXPECT[0]: exit 0
}
#elif CASE == 1
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, give, 0);
    pthread_join(t, 0);
    pthread_join(t, 0); // EXPECT[1]: undefined BadThread
}
#elif CASE == 2
int main(void)
{
    return pthread_join(pthread_self(), 0); // EXPECT[2]: exit 35
}
#elif CASE == 3
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, give, 0);
    pthread_detach(t);
    pthread_join(t, 0); // EXPECT[3]: undefined BadThread | exit 0
}
#elif CASE == 4
int main(void)
{
    pthread_t t;
    pthread_attr_t attr;
    int state;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 1 << 20);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_getdetachstate(&attr, &state);
    if (state != PTHREAD_CREATE_DETACHED)
        return 1;
    pthread_create(&t, &attr, give, 0);
    pthread_attr_destroy(&attr);
    pthread_detach(t); // EXPECT[4]: undefined BadThread | exit 0
}
#elif CASE == 5
int main(void)
{
    pthread_t none = 12345;
    pthread_join(none, 0); // EXPECT[5]: undefined BadThread
}
#elif CASE == 6
// main's return ends the process; pthread_exit in main does not.
static void *set(void *unused)
{
    shared = 1;
    _Exit(4);
}
int main(void)
{
    pthread_create(&thread, 0, set, 0);
    pthread_exit(0); // EXPECT[6]: exit 4
}
#elif CASE == 7
// The new thread finds who it is.
static void *look(void *unused)
{
    return thread == pthread_self() ? unused : (void *)1;
}
int main(void)
{
    pthread_create(&thread, 0, look, 0);
    return 0; // EXPECT[7]: exit 0
}
#elif CASE == 8
static int handled;
static void handle(void *by)
{
    handled += *(int *)by;
}
int main(void)
{
    int one = 1, ten = 10;
    pthread_cleanup_push(handle, &one);
    pthread_cleanup_push(handle, &ten);
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(0);
    return handled; // EXPECT[8]: exit 10
}
#elif CASE == 9
static void handle(void *unused)
{
}
int main(void)
{
    pthread_cleanup_push(handle, 0);
    pthread_exit(0); // EXPECT[9]: exit 0
    pthread_cleanup_pop(1);
}
#elif CASE == 10
static void *dawdle(void *argument)
{
    for (int i = 0; i < 2; i++)
        shared = i;
    return argument;
}
int main(void)
{
    pthread_t t;
    void *result;
    struct timespec when = { 0, 0 };
    pthread_create(&t, 0, dawdle, &shared);
    int status = pthread_tryjoin_np(t, &result);
    if (status != 0)
        status = pthread_timedjoin_np(t, &result, &when);
    return status == 0 ? result != &shared : status; // EXPECT[10]: exit 0 | exit 110
}
#elif CASE == 11
int main(void)
{
    pthread_create(&thread, 0, give, 0);
    return pthread_cancel(thread); // EXPECT[11]: exit 0
}
#elif CASE == 12
// An old-style start routine takes no argument; creation through a pointer works the same.
static void *old()
{
    shared = 6;
    return 0;
}
int main(void)
{
    void *(*routine)(void *) = (void *(*)(void *))old;
    int type;
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    pthread_create(&thread, 0, routine, 0);
    pthread_join(thread, 0);
    return shared + type; // EXPECT[12]: exit 6
}
#endif
