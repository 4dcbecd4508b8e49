// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// A fence does not make plain accesses atomic.
#include <pthread.h>
#include <stdatomic.h>

static int x;

static void *first(void *unused)
{
    x = 1; // RACE! x
    atomic_thread_fence(memory_order_seq_cst);
    return unused;
}

static void *second(void *unused)
{
    atomic_thread_fence(memory_order_seq_cst);
    x = 2; // RACE! x
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
