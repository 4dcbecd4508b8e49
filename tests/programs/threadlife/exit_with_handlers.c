#include <assert.h>
#include <pthread.h>

static int done;

static void handler(void *argument)
{
    done += *(int *)argument;
}

static void leave(void)
{
    pthread_cleanup_push(handler, &(int){1});
    pthread_exit(NULL);
    pthread_cleanup_pop(0);
}

static void *worker(void *unused)
{
    pthread_cleanup_push(handler, &(int){2});
    leave();
    pthread_cleanup_pop(0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    assert(done == 3);
    return 0;
}
