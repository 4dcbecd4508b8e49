// selvedge: race=unsafe assertion=unsafe
// A thread that is started before main, and what runs after it.
#include <assert.h>
#include <pthread.h>

static int ready, ended;
static pthread_t helper;

static void *prepare(void *unused)
{
    ready = 1; // RACE! ready
    return 0;
}

__attribute__((constructor)) static void start(void)
{
    pthread_create(&helper, 0, prepare, 0);
}

__attribute__((destructor)) static void finish(void)
{
    assert(ended == 0); // FAIL!
}

int main(void)
{
    int seen = ready; // RACE! ready
    pthread_join(helper, 0);
    ended = 1;
    return seen - seen;
}
