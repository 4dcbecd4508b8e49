// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
#include <pthread.h>

static volatile int flag;

static void *setter(void *unused)
{
    flag = 1; // RACE! flag
    return unused;
}

static void *waiter(void *unused)
{
    while (!flag) { // RACE! flag
    }
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, setter, NULL);
    pthread_create(&t2, NULL, waiter, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
