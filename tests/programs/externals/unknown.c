// selvedge: race=unknown deadlock=unknown memory=unknown
// A function that nobody knows: what is proved holds provided that it does no more than its prototype says.
#include <pthread.h>

struct item {
    int count;
    char *name;
};

int frob(struct item *item, int how);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct item item;

void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    // What proofs rest on, where executions end, and what was chosen before that.
    frob(&item, 3); // UNKNOWN! holds provided that `frob` (1 call) touches only what it is given UNKNOWN! call of `frob`, which is not defined and has no model: what it writes is not known UNKNOWN! of a choice among 2^32 values
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
