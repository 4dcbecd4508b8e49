// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>
#include <stdatomic.h>

static int array[2];
static atomic_int top = 1;

static void *worker(void *unused)
{
    int mine = atomic_fetch_sub(&top, 1) - 1;
    array[mine] = 1; // MEMORY! accesses memory outside of its object
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
