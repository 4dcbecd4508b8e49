// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static int x, y, z;
static _Bool taken;

static void *worker(void *unused)
{
    __sync_add_and_fetch(&x, 3);
    __sync_val_compare_and_swap(&y, 0, 1);
    __sync_synchronize();
    while (__atomic_test_and_set(&taken, __ATOMIC_ACQUIRE)) {
    }
    z++; // NORACE
    __atomic_clear(&taken, __ATOMIC_RELEASE);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 6);
    assert(y == 1 && z == 2);
    return 0;
}
