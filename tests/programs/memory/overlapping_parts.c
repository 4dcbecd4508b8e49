// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// Different types and addresses, two bytes in common.
#include <pthread.h>

static _Alignas(8) char buffer[16];

static void *first(void *unused)
{
    *(int *)buffer = 1; // RACE! buffer
    return unused;
}

static void *second(void *unused)
{
    *(short *)(buffer + 2) = 2; // RACE! buffer
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
