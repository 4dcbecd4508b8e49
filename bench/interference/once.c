/* Double-checked initialisation by N threads, which use the value K times. BUG: the flag is set before the value. */
#include "spawn.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int value;

static void *work(void *unused)
{
    for (int k = 0; k < K; k++) {
        if (!ready) {
            pthread_mutex_lock(&lock);
            if (!ready) {
#ifdef BUG
                ready = 1;
                value = 42;
#else
                value = 42;
                ready = 1;
#endif
            }
            pthread_mutex_unlock(&lock);
        }
        assert(value == 42);
    }
    return unused;
}

int main(void)
{
    run(work);
    return 0;
}
