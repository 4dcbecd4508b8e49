// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// An ordinary member is a memory location of its own, next to a bit-field or not.
#include <assert.h>
#include <pthread.h>

static struct {
    unsigned char a : 4;
    unsigned char b;
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
