// selvedge: race=unsafe
// flags: --concurrent take+give --property race --stop-on-fail
// Slots that are stored where the caller says: when the first is given back, that is noted without the lock.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char slots[2];
static int used;

int take(void **slot) {
    pthread_mutex_lock(&lock);
    *slot = used < 2 ? &slots[used++] : 0; // RACE! used
    pthread_mutex_unlock(&lock);
    return *slot != 0;
}

void give(void *slot) {
    if (slot == &slots[0])
        used = 0; // RACE! used
}
