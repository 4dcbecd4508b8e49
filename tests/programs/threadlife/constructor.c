// selvedge: race=safe assertion=safe deadlock=safe memory=safe
// What a constructor has made is there when main begins, and what main has left when a destructor runs.
#include <assert.h>
#include <pthread.h>

static int ready, ended;
static pthread_t helper;

static void *prepare(void *unused)
{
    ready = 1;
    return 0;
}

__attribute__((constructor)) static void start(void)
{
    pthread_create(&helper, 0, prepare, 0);
    pthread_join(helper, 0);
}

__attribute__((destructor)) static void finish(void)
{
    assert(ended == 1);
}

int main(void)
{
    int seen = ready;
    ended = 1;
    assert(seen == 1);
    return 0;
}
