// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
#include <pthread.h>

extern void __VERIFIER_error(void) __attribute__((noreturn));
extern _Bool __VERIFIER_nondet_bool(void);

static void *worker(void *unused)
{
    if (__VERIFIER_nondet_bool())
        __VERIFIER_error(); // FAIL!
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
