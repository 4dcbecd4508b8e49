// selvedge: assertion=safe deadlock=safe memory=unsafe
// Counting down and looking are two steps: both can see zero, or look at what the other has freed.
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
    atomic_fetch_sub(&object->count, 1);
    if (atomic_load(&object->count) == 0) // MEMORY! accesses memory that has been freed
        free(object); // MEMORY! frees memory that has been freed already
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
