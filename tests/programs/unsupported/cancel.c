// selvedge: assertion=unknown race=unknown deadlock=unknown memory=unknown
#include <pthread.h>

static void *worker(void *unused)
{
    for (;;) {
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread); // UNKNOWN! pthread_cancel
    pthread_join(thread, NULL);
    return 0;
}
