// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static int x;

static void *reader(void *unused)
{
    int seen = x; // RACE! x
    assert(seen == 0 || seen == 1);
    return unused;
}

static void *writer(void *unused)
{
    x = 1; // RACE! x
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, reader, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
