// selvedge: assertion=unsafe race=unsafe memory=safe
// flags: --property assertion --property race --property memory
// INFINITE: any number of threads
// THREADS: 4
// With more threads than tickets two have the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define TICKETS 3

pthread_mutex_t box = PTHREAD_MUTEX_INITIALIZER;
unsigned next;
atomic_uint serving;
int inside;

void *worker(void *arg)
{
    pthread_mutex_lock(&box);
    unsigned mine = next;
    next = (mine + 1) % TICKETS;
    pthread_mutex_unlock(&box);
    while (serving != mine) {
    }
    inside++; // RACE! inside
    assert(inside == 1); // FAIL! RACE! inside
    inside--; // RACE! inside
    serving = (mine + 1) % TICKETS;
    return 0;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
