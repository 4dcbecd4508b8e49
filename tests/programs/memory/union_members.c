// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
#include <pthread.h>

static union {
    int whole;
    char bytes[4];
} u;

static void *first(void *unused)
{
    u.whole = 1; // RACE! u
    return unused;
}

static void *second(void *unused)
{
    u.bytes[3] = 2; // RACE! u
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
