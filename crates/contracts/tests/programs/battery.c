/* Unloading a battery driver while its worker may still run: Figure 6 of paper 003, with the fields of the device as
   variables and `stopped` for its being freed. BUG is 0, or which mistake is made. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef BUG
#define BUG 0
#endif

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int want_to_remove, ready_to_remove, stopped;
static atomic_int worker_active, in_use = 2, queued;

/* Whoever counts the users down to zero lets the removal go on, in one step. */
static int drop(void)
{
    __VERIFIER_atomic_begin();
    int left = atomic_fetch_sub(&in_use, 1) - 1;
    if (left == 0)
        atomic_store(&ready_to_remove, 1);
    __VERIFIER_atomic_end();
    return left;
}

static void *unload(void *unused)
{
    atomic_store(&want_to_remove, 1);
    if (atomic_fetch_add(&worker_active, 1) == 0) {
        if (__VERIFIER_nondet_int())
            drop();
        else
            atomic_fetch_add(&queued, 1);
    }
    int left = drop();
    if (BUG != 1 && left > 0)
        while (!atomic_load(&ready_to_remove)) {
        }
    atomic_store(&stopped, 1);
    return unused;
}

static void *worker(void *unused)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(queued > 0);
    atomic_fetch_sub(&queued, 1);
    __VERIFIER_atomic_end();
    for (;;) {
        assert(!stopped);
        if (atomic_load(&want_to_remove)) {
            drop();
            break;
        }
        if (__VERIFIER_nondet_int()) {
            atomic_fetch_add(&in_use, 1);
            assert(!stopped);
            if (BUG != 2)
                drop();
        }
        assert(!stopped);
        int active = atomic_fetch_sub(&worker_active, 1) - 1;
        if (active == 0)
            break;
        if (active != 1)
            atomic_store(&worker_active, BUG == 3 ? 2 : 1);
    }
    if (BUG == 4)
        assert(!stopped);
    return unused;
}

int main(void)
{
    pthread_t unloading, working;
    pthread_create(&unloading, NULL, unload, NULL);
    pthread_create(&working, NULL, worker, NULL);
    return 0;
}
