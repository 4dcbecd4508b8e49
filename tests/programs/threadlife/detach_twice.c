// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>

static void *worker(void *unused)
{
    pthread_detach(pthread_self()); // MEMORY! joins or detaches what is not a joinable thread
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_detach(thread); // MEMORY! joins or detaches what is not a joinable thread
    return 0;
}
