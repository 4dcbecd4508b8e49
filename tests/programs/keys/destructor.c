// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *worker(void *unused)
{
    pthread_setspecific(key, malloc(4));
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_key_create(&key, free);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
