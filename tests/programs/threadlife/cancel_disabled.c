#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int done;

static void *worker(void *unused)
{
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    done++;
    sleep(1);
    done++;
    pthread_setcancelstate(old, NULL);
    pthread_testcancel();
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, worker, &done);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == &done || result == PTHREAD_CANCELED);
    assert(done == 2);
    return 0;
}
