// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Both write `data`, but never when the other may: `turn` decides.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;
static int data;

static void *first(void *unused)
{
    if (atomic_load(&turn) == 0) {
        data = 1; // NORACE
        atomic_store(&turn, 1);
    }
    return unused;
}

static void *second(void *unused)
{
    if (atomic_load(&turn) == 1) {
        assert(data == 1); // NORACE
        data = 2; // NORACE
    }
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
