// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The new thread finds its own identity where its creator wanted it, as glibc has it: `pthread_create` stores it first.
#include <assert.h>
#include <pthread.h>

pthread_t t;

void *run(void *arg)
{
    assert(pthread_equal(t, pthread_self())); // NORACE
    return arg;
}

int main(void)
{
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}
