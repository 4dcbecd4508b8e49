// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static int x;

static int worker(void *unused)
{
    (void)unused;
    mtx_lock(&lock);
    x++; // NORACE
    mtx_unlock(&lock);
    return 7;
}

int main(void)
{
    thrd_t first, second;
    int result;
    mtx_init(&lock, mtx_plain);
    thrd_create(&first, worker, NULL);
    thrd_create(&second, worker, NULL);
    thrd_join(first, &result);
    assert(result == 7);
    thrd_join(second, NULL);
    assert(x == 2);
    mtx_destroy(&lock);
    return 0;
}
