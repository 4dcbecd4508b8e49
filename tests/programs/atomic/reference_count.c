// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The last one to let go frees.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int count;
    int value;
};
static struct object *object;

static void *worker(void *unused)
{
    if (atomic_fetch_sub(&object->count, 1) == 1)
        free(object);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    object = malloc(sizeof *object);
    atomic_store(&object->count, 2);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
