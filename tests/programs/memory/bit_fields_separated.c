// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A field of width zero starts a new memory location.
#include <assert.h>
#include <pthread.h>

static struct {
    unsigned a : 4;
    unsigned : 0;
    unsigned b : 4;
} s;

static void *first(void *unused)
{
    s.a = 1; // NORACE
    return unused;
}

static void *second(void *unused)
{
    s.b = 2; // NORACE
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(s.a == 1 && s.b == 2);
    return 0;
}
