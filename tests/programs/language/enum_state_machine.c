// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum state { IDLE, BUSY, DONE };
static _Atomic enum state state = IDLE;
static int work;

static void *starter(void *unused)
{
    enum state expected = IDLE;
    if (atomic_compare_exchange_strong(&state, &expected, BUSY)) {
        work = 1; // NORACE
        atomic_store(&state, DONE);
    }
    return unused;
}

static void *observer(void *unused)
{
    if (atomic_load(&state) == DONE)
        assert(work == 1); // NORACE
    return unused;
}

int main(void)
{
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, starter, NULL);
    pthread_create(&t2, NULL, starter, NULL);
    pthread_create(&t3, NULL, observer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
