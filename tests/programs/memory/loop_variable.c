// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
// The classical mistake: every thread gets the address of the same loop variable.
#include <assert.h>
#include <pthread.h>

static int slots[3];

static void *worker(void *number)
{
    int mine = *(int *)number; // RACE! i
    __atomic_fetch_add(&slots[mine], 1, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int i;
    for (i = 0; i < 2; i++) // RACE! i
        pthread_create(&threads[i], NULL, worker, &i);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(slots[0] == 1 && slots[1] == 1); // FAIL!
    return 0;
}
