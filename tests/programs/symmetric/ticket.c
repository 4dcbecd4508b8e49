// selvedge: assertion=safe
// flags: --property assertion --timeout 120
// INFINITE: any number of threads
// Tickets are drawn and served in turn; of the few that there are, none is drawn while somebody has it.
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
    if ((mine + 1) % TICKETS == serving) {
        pthread_mutex_unlock(&box);
        return 0;
    }
    next = (mine + 1) % TICKETS;
    pthread_mutex_unlock(&box);
    while (serving != mine) {
    }
    inside++;
    assert(inside == 1);
    inside--;
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
