// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static int slot = 7;
static int got[2];

static void *worker(void *result)
{
    *(int *)result = __atomic_exchange_n(&slot, 0, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, &got[0]);
    pthread_create(&t2, NULL, worker, &got[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(got[0] + got[1] == 7);
    return 0;
}
