/* Peterson's mutual exclusion for two threads, from nothing but loads and stores. Figure 2 of paper 002, where plain
   thread-modular reasoning is too coarse for it. The flags are sequentially consistent atomics. Selvedge proves that `shared`,
   a plain variable, is never accessed by both: being free of races is the mutual exclusion. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static atomic_int turn;
static int shared;

static void enter(int self)
{
    int other = 1 - self;
    atomic_store(&wants[self], 1);
    atomic_store(&turn, other);
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other) {
    }
}

static void leave(int self)
{
    atomic_store(&wants[self], 0);
}

static void *worker(void *id)
{
    int self = *(int *)id;
    for (int round = 0; round < 2; round++) {
        enter(self);
        shared++; // NORACE
        leave(self);
    }
    return NULL;
}

int main(void)
{
    static int ids[2] = {0, 1};
    pthread_t one, two;
    pthread_create(&one, NULL, worker, &ids[0]);
    pthread_create(&two, NULL, worker, &ids[1]);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(shared == 4);
    return 0;
}
