/* Peterson's algorithm with plain variables. Under every interleaving it still excludes, so the assertion holds, but in C the
   flags themselves race: the compiler and the processor may reorder them, and then it excludes no more.
   Selvedge therefore reports the races on `wants` and `turn`, and none on `shared`. */
// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static int wants[2];
static int turn;
static int shared;

static void *first(void *unused)
{
    wants[0] = 1;                     // RACE! wants
    turn = 1;                         // RACE! turn
    while (wants[1] && turn == 1) {   // RACE! wants RACE! turn
    }
    shared++; // NORACE
    wants[0] = 0; // RACE! wants
    return unused;
}

static void *second(void *unused)
{
    wants[1] = 1;                     // RACE! wants
    turn = 0;                         // RACE! turn
    while (wants[0] && turn == 0) {   // RACE! wants RACE! turn
    }
    shared++; // NORACE
    wants[1] = 0; // RACE! wants
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(shared == 2);
    return 0;
}
