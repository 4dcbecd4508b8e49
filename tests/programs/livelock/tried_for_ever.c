// selvedge: livelock=safe
// flags: --property livelock
// Going round is no livelock as long as something changes, a choice may end it, or somebody is left who will.
#include <pthread.h>
#include <stdatomic.h>

_Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int turn, stop;

void *owner(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    while (!atomic_load(&stop))
        atomic_fetch_xor(&turn, 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, owner, 0);
    while (pthread_mutex_trylock(&m) != 0) {
    }
    while (__VERIFIER_nondet_bool()) {
    }
    atomic_store(&stop, 1);
    pthread_join(t, 0);
    return 0;
}
