// selvedge: assertion=safe race=unknown deadlock=unknown memory=unknown
#include <pthread.h>

static void *worker(void *unused)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL); // UNKNOWN! asynchronous cancellation
    for (;;) {
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return 0;
}
