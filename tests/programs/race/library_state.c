// selvedge: race=unsafe memory=safe
// `rand` need not be thread-safe: its calls race on what the library keeps.
#include <pthread.h>
#include <stdlib.h>

void *run(void *arg)
{
    rand(); // RACE! the library's state of rand
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    rand(); // RACE! the library's state of rand
    pthread_join(t, 0);
    return 0;
}
