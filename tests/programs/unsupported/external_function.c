// selvedge: assertion=safe race=unknown deadlock=unknown memory=unknown
#include <pthread.h>

extern int mystery(int);
static int x;

static void *worker(void *unused)
{
    x = mystery(1); // UNKNOWN! mystery
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
