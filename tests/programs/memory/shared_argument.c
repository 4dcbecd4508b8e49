// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
#include <pthread.h>

static void *worker(void *slot)
{
    *(int *)slot = 1; // RACE! local
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    int local;
    pthread_create(&first, NULL, worker, &local);
    pthread_create(&second, NULL, worker, &local);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
