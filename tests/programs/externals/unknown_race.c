// selvedge: race=unsafe
// A function that nobody knows is given one object by two threads.
#include <pthread.h>

void frob(int *count);

int count;

void *work(void *arg)
{
    frob(&count); // RACE! count
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
