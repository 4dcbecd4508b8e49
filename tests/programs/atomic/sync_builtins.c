// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static int x, flag;

static void *worker(void *unused)
{
    __sync_fetch_and_add(&x, 2);
    __sync_bool_compare_and_swap(&flag, 0, 1);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 4);
    assert(flag == 1);
    return 0;
}
