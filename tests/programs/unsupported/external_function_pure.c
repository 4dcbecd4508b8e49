// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// flags: --assume-pure mystery
#include <pthread.h>

extern void mystery(int);

static void *worker(void *unused)
{
    mystery(1);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
