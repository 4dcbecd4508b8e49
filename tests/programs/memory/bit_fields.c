// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
// Adjacent bit-fields share their bytes: writing one rewrites the other.
#include <assert.h>
#include <pthread.h>

static struct {
    unsigned a : 4, b : 4;
} s;

static void *first(void *unused)
{
    s.a = 1; // RACE! s
    return unused;
}

static void *second(void *unused)
{
    s.b = 2; // RACE! s
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(s.a == 1 && s.b == 2); // FAIL!
    return 0;
}
