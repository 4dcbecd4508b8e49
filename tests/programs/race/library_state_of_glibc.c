// selvedge: race=safe memory=safe
// flags: --thread-safe-libc
// glibc makes `rand` thread-safe.
#include <pthread.h>
#include <stdlib.h>

void *run(void *arg)
{
    rand(); // NORACE
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    rand(); // NORACE
    pthread_join(t, 0);
    return 0;
}
