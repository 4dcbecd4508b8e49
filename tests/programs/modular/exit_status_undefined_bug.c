// selvedge: memory=unsafe
// flags: --engine modular
// INFINITE: any number of threads
// The status that the process ends with is computed by whichever thread ends it.
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void *client(void *unused)
{
    int divisor = __VERIFIER_nondet_int();
    exit(10 / divisor); // MEMORY! divides by zero
}

int main(void)
{
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, client, 0);
    }
}
