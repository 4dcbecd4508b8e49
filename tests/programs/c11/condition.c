// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static int ready;

static int setter(void *unused)
{
    (void)unused;
    mtx_lock(&lock);
    ready = 1;
    cnd_signal(&changed);
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t thread;
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    thrd_create(&thread, setter, NULL);
    mtx_lock(&lock);
    while (!ready)
        cnd_wait(&changed, &lock);
    assert(ready == 1);
    mtx_unlock(&lock);
    thrd_join(thread, NULL);
    cnd_destroy(&changed);
    return 0;
}
