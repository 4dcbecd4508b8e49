// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;
static int seen = -1;

static void *mover(void *unused)
{
    atomic_store(&state, 1);
    atomic_store(&state, 7);
    return unused;
}

static void *observer(void *unused)
{
    switch (atomic_load(&state)) {
    case 0:
        seen = 10;
        break;
    case 1:
        seen = 11;
        /* fall through */
    case 2 ... 5:
        seen += 1;
        break;
    default:
        seen = 20;
    }
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, mover, NULL);
    pthread_create(&t2, NULL, observer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(seen == 10 || seen == 12 || seen == 20);
    assert(seen != 12); // FAIL!
    return 0;
}
