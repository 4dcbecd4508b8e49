// GenMC's threads.
#include <assert.h>

typedef long __VERIFIER_thread_t;
extern __VERIFIER_thread_t __VERIFIER_spawn(void *(*)(void *), void *);
extern void *__VERIFIER_join(__VERIFIER_thread_t);
extern int __VERIFIER_tid(void);

static int seen[3];

static void *worker(void *argument)
{
    seen[__VERIFIER_tid()] = 1;
    return argument;
}

int main(void)
{
    __VERIFIER_thread_t a = __VERIFIER_spawn(worker, seen), b = __VERIFIER_spawn(worker, 0);
    assert(__VERIFIER_join(a) == seen);
    __VERIFIER_join(b);
    assert(seen[1] == 1 && seen[2] == 1 && __VERIFIER_tid() == 0);
    return 0;
}
