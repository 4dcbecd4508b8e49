// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <threads.h>

static mtx_t lock;
static int x;

static int worker(void *unused)
{
    (void)unused;
    mtx_lock(&lock);
    x++; // NORACE
    mtx_unlock(&lock);
    thrd_exit(3);
}

int main(void)
{
    thrd_t first, second;
    mtx_init(&lock, mtx_plain);
    thrd_create(&first, worker, NULL);
    thrd_create(&second, worker, NULL);
    thrd_detach(first);
    thrd_yield();
    thrd_join(second, NULL);
    return 0;
}
