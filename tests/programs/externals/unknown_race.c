// selvedge: race=unknown
// A function that nobody knows is given one object by two threads: that it touches it in a way that races is a guess.
#include <pthread.h>

void frob(int *count);

int count;

void *work(void *arg)
{
    frob(&count); // UNKNOWN! would be violated if `frob` UNKNOWN! call of `frob`, which is not defined and has no model: what it writes is not known UNKNOWN! of a choice among 2^32 values UNKNOWN! holds provided that `frob` (1 call)
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
