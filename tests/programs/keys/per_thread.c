// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int values[2];

static void *worker(void *slot)
{
    assert(pthread_getspecific(key) == NULL);
    pthread_setspecific(key, slot);
    *(int *)slot = 1; // NORACE
    assert(pthread_getspecific(key) == slot);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_key_create(&key, NULL);
    pthread_create(&t1, NULL, worker, &values[0]);
    pthread_create(&t2, NULL, worker, &values[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(values[0] == 1 && values[1] == 1);
    assert(pthread_getspecific(key) == NULL);
    return 0;
}
