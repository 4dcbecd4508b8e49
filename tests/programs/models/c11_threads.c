// C11 threads.
#include <threads.h>
#include <time.h>

static mtx_t m;
static cnd_t c;
static int ready;

#if CASE == 0
static int run(void *argument)
{
    mtx_lock(&m);
    ready = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
    return *(int *)argument;
}
int main(void)
{
    thrd_t t;
    int value = -3, result;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    if (thrd_create(&t, run, &value) != thrd_success)
        return 9;
    mtx_lock(&m);
    while (!ready)
        cnd_wait(&c, &m);
    mtx_unlock(&m);
    thrd_join(t, &result);
    mtx_destroy(&m);
    cnd_destroy(&c);
    return result == -3 ? thrd_equal(t, thrd_current()) : 8; // EXPECT[0]: exit 0
}
#elif CASE == 1
int main(void)
{
    mtx_init(&m, mtx_recursive);
    mtx_lock(&m);
    if (mtx_trylock(&m) != thrd_success)
        return 1;
    mtx_unlock(&m);
    mtx_unlock(&m);
    mtx_destroy(&m);
    mtx_init(&m, mtx_timed);
    mtx_lock(&m);
    return mtx_trylock(&m) == thrd_busy ? 5 : 2; // EXPECT[1]: exit 5
}
#elif CASE == 2
int main(void)
{
    struct timespec when = { 0, 0 };
    mtx_init(&m, mtx_timed);
    mtx_lock(&m);
    return mtx_timedlock(&m, &when) == thrd_timedout; // EXPECT[2]: exit 1
}
#elif CASE == 3
static int leave(void *unused)
{
    thrd_exit(42);
}
int main(void)
{
    thrd_t t;
    int result;
    thrd_create(&t, leave, 0);
    thrd_yield();
    thrd_join(t, &result);
    return result; // EXPECT[3]: exit 42
}
#elif CASE == 4
int main(void)
{
    mtx_init(&m, mtx_plain);
    mtx_unlock(&m); // EXPECT[4]: undefined UnlockNotHeld
}
#endif
