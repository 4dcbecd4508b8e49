// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The larger or the smaller of two numbers stays, in one step.
#include <assert.h>
#include <pthread.h>

int most = -5;
unsigned least = 7;

void *run(void *arg)
{
    __sync_fetch_and_max(&most, 3);
    __sync_fetch_and_umin(&least, 2u);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    __sync_fetch_and_max(&most, 1);
    __sync_fetch_and_umin(&least, -1);
    pthread_join(t, 0);
    assert(most == 3 && least == 2);
    assert(__sync_fetch_and_min(&most, -1) == 3 && most == -1);
    assert(__sync_fetch_and_umax(&most, 1) == -1 && most == -1);
    return 0;
}
