// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool done;
static _Atomic unsigned char small = 255;

static void *worker(void *unused)
{
    atomic_fetch_add(&small, 1);
    atomic_store(&done, true);
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    assert(done);
    assert(small == 0);
    return 0;
}
