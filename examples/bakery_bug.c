/* Lamport's bakery without `choosing`: a thread that is still choosing looks like one that does not want in.
   It then takes the same number, and its smaller id lets it pass. Selvedge shows both threads in the critical section. */
// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int number[2];
static int shared;

static void *worker(void *id)
{
    int self = *(int *)id, other = 1 - self;
    int mine = atomic_load(&number[other]) + 1;
    atomic_store(&number[self], mine);
    for (;;) {
        int theirs = atomic_load(&number[other]);
        if (theirs == 0 || theirs > mine || (theirs == mine && other > self))
            break;
    }
    shared++; // RACE! shared
    atomic_store(&number[self], 0);
    return NULL;
}

int main(void)
{
    static int ids[2] = {0, 1};
    pthread_t first, second;
    pthread_create(&first, NULL, worker, &ids[0]);
    pthread_create(&second, NULL, worker, &ids[1]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(shared == 2); // FAIL!
    return 0;
}
