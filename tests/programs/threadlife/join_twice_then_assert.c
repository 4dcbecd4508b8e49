// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
// Nothing defines the second join, so every path ends there, and the assertion is never reached.
#include <assert.h>
#include <pthread.h>

void *run(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(t, 0); // MEMORY! joins or detaches
    assert(0);
    return 0;
}
