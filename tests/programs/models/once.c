// pthread_once and call_once.
#include <pthread.h>
#include <threads.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static once_flag flag = ONCE_FLAG_INIT;
static int runs;

static void routine(void)
{
    runs++;
}

#if CASE == 0
static void *enter(void *unused)
{
    pthread_once(&control, routine);
    return runs == 1 ? unused : (void *)1;
}
int main(void)
{
    pthread_t t;
    void *wrong;
    pthread_create(&t, 0, enter, 0);
    pthread_once(&control, routine);
    pthread_join(t, &wrong);
    return 10 * runs + (wrong != 0); // EXPECT[0]: exit 10
}
#elif CASE == 1
int main(void)
{
    void (*through)(void) = routine;
    call_once(&flag, through);
    call_once(&flag, routine);
    return runs; // EXPECT[1]: exit 1
}
#elif CASE == 2
static void again(void)
{
    pthread_once(&control, again); // EXPECT[2]: deadlock
}
int main(void)
{
    pthread_once(&control, again);
}
#endif
