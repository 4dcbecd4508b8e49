// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int x;

static void *worker(void *unused)
{
    while (atomic_flag_test_and_set(&taken)) {
    }
    x++; // NORACE
    atomic_flag_clear(&taken);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 2);
    return 0;
}
