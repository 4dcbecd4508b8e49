// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static struct {
    char a, b;
    short c;
    int d;
} s;

static void *first(void *unused)
{
    s.a = 1; // NORACE
    s.c = 3; // NORACE
    return unused;
}

static void *second(void *unused)
{
    s.b = 2; // NORACE
    s.d = 4; // NORACE
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(s.a == 1 && s.b == 2 && s.c == 3 && s.d == 4);
    return 0;
}
