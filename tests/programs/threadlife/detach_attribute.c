// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>

static void *worker(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, worker, NULL);
    pthread_attr_destroy(&attributes);
    pthread_join(thread, NULL); // MEMORY! joins or detaches what is not a joinable thread
    return 0;
}
