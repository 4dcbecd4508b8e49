// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner;
static int winners;

static void *worker(void *id)
{
    int nobody = 0;
    if (atomic_compare_exchange_strong(&owner, &nobody, *(int *)id))
        winners++; // NORACE
    else
        assert(nobody == 1 || nobody == 2);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    static int ids[2] = {1, 2};
    pthread_create(&t1, NULL, worker, &ids[0]);
    pthread_create(&t2, NULL, worker, &ids[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(winners == 1);
    assert(owner != 0);
    return 0;
}
