// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static int x;

static int worker(void *unused)
{
    (void)unused;
    int status = mtx_trylock(&lock);
    assert(status == thrd_success || status == thrd_busy);
    if (status == thrd_success) {
        x++; // NORACE
        mtx_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    thrd_t first, second;
    mtx_init(&lock, mtx_plain);
    thrd_create(&first, worker, NULL);
    thrd_create(&second, worker, NULL);
    thrd_join(first, NULL);
    thrd_join(second, NULL);
    assert(x == 2); // FAIL!
    return 0;
}
