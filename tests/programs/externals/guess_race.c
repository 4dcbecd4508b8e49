// selvedge: race=unsafe
// flags: --assume-externals
// A race after calls of a function that nobody knows, whatever it answers: no guess.
#include <pthread.h>

int frob(int how);

int total;

void *work(void *arg)
{
    if (frob(1) > 0)
        total++; // RACE! total
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
