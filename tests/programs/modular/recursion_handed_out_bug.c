// selvedge: race=unsafe
// flags: --property race
// INFINITE: any number of threads
// The local of some depth is where other threads find it.
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);
static int *_Atomic found;

static void walk(int depth)
{
    int here = depth; // RACE! here
    if (depth == 2)
        found = &here;
    if (depth > 0 && depth < 3)
        walk(depth - 1);
    here = 1; // RACE! here
}

static void *client(void *unused)
{
    for (;;)
        walk(__VERIFIER_nondet_int());
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, client, NULL);
    for (;;) {
        int *p = found;
        if (p)
            *p = 3; // RACE! here
    }
}
