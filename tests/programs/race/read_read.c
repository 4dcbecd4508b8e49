// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Reading together is no race.
#include <assert.h>
#include <pthread.h>

static int x = 5;

static void *reader(void *unused)
{
    assert(x == 5); // NORACE
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, reader, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 5);
    return 0;
}
