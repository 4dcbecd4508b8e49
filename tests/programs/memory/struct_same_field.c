// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
#include <pthread.h>

static struct {
    char a, b;
} s;

static void *first(void *unused)
{
    s.a = 1; // NORACE
    s.b = 1; // RACE! s
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
    return 0;
}
