// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
// flags: --late-thread-id
// POSIX leaves open whether the identity is stored before the new thread runs.
#include <assert.h>
#include <pthread.h>

pthread_t t;

void *run(void *arg)
{
    assert(pthread_equal(t, pthread_self())); // FAIL! RACE! t
    return arg;
}

int main(void)
{
    pthread_create(&t, 0, run, 0); // RACE! t
    pthread_join(t, 0);
    return 0;
}
