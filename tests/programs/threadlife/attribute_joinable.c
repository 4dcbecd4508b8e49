// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static void *worker(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    int state;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE);
    pthread_attr_getdetachstate(&attributes, &state);
    assert(state == PTHREAD_CREATE_JOINABLE);
    pthread_create(&thread, &attributes, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
