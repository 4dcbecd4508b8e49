// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
// Every thread is joined by the next round as well.
#include <pthread.h>

static pthread_t last;

static void *worker(void *unused)
{
    return unused;
}

int main(void)
{
    int any = 0;
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, NULL, worker, NULL);
        pthread_join(thread, NULL);
        if (any)
            pthread_join(last, NULL); // MEMORY! joins or detaches what is not a joinable thread
        last = thread;
        any = 1;
    }
}
