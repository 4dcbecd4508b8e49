// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A reference count made with `lock xadd`: the last one frees.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct object {
    int count, value;
};

static int add(int *count, int change)
{
    __asm__ __volatile__("lock; xaddl %[change], %[count]"
                         : [change] "+r"(change), [count] "+m"(*count)
                         :
                         : "memory", "cc");
    return change;
}

static void *worker(void *argument)
{
    struct object *object = argument;
    assert(object->value == 3);
    if (add(&object->count, -1) == 1)
        free(object);
    return 0;
}

int main(void)
{
    pthread_t thread;
    struct object *object = malloc(sizeof *object);
    object->count = 2;
    object->value = 3;
    pthread_create(&thread, 0, worker, object);
    if (add(&object->count, -1) == 1)
        free(object);
    pthread_join(thread, 0);
    return 0;
}
