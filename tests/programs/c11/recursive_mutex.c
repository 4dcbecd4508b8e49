// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static int x;

static int worker(void *unused)
{
    (void)unused;
    mtx_lock(&lock);
    assert(mtx_trylock(&lock) == thrd_success);
    x++; // NORACE
    mtx_unlock(&lock);
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t first, second;
    mtx_init(&lock, mtx_plain | mtx_recursive);
    thrd_create(&first, worker, NULL);
    thrd_create(&second, worker, NULL);
    thrd_join(first, NULL);
    thrd_join(second, NULL);
    assert(x == 2);
    return 0;
}
