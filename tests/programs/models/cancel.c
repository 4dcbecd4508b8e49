// Cancellation: points, states, handlers.
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_t thread;
static int done;
static sem_t never;
static void handle(void *by)
{
    done = 10 * done + *(int *)by;
}
static int cancelled(void *(*routine)(void *))
{
    void *result;
    pthread_create(&thread, 0, routine, 0);
    if (pthread_cancel(thread) != 0)
        return 9;
    pthread_join(thread, &result);
    return result == PTHREAD_CANCELED;
}

#if CASE == 0
static void *wait(void *unused)
{
    int one = 1, two = 2;
    pthread_cleanup_push(handle, &one);
    pthread_cleanup_push(handle, &two);
    sem_wait(&never);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return unused;
}
int main(void)
{
    return cancelled(wait) == 1 ? done : 99; // EXPECT[0]: exit 21
}
#elif CASE == 1
static void *run(void *unused)
{
    return unused;
}
int main(void)
{
    return cancelled(run); // EXPECT[1]: exit 0
}
#elif CASE == 2
static void *sleepily(void *unused)
{
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
    sleep(1);
    return unused;
}
int main(void)
{
    return cancelled(sleepily); // EXPECT[2]: exit 0
}
#elif CASE == 3
int main(void)
{
    pthread_cancel(pthread_self());
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0); // EXPECT[3]: unsupported asynchronous cancellation of threads
    return 0;
}
#elif CASE == 4
static void *run(void *unused)
{
    return unused;
}
int main(void)
{
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    pthread_cancel(thread); // EXPECT[4]: undefined BadThread
}
#endif
