// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static cnd_t changed;
static int ready;
static struct timespec soon = {1, 0};

static int waiter(void *timed)
{
    mtx_lock(&lock);
    while (!ready) {
        if (timed) {
            int status = cnd_timedwait(&changed, &lock, &soon);
            assert(status == thrd_success || status == thrd_timedout);
        } else {
            cnd_wait(&changed, &lock);
        }
    }
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t first, second;
    mtx_init(&lock, mtx_timed);
    cnd_init(&changed);
    thrd_create(&first, waiter, NULL);
    thrd_create(&second, waiter, &soon);
    mtx_lock(&lock);
    ready = 1;
    cnd_broadcast(&changed);
    mtx_unlock(&lock);
    thrd_join(first, NULL);
    thrd_join(second, NULL);
    return 0;
}
