// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <threads.h>

static tss_t key;
static _Thread_local int own = 1;

static int worker(void *slot)
{
    own++; // NORACE
    assert(own == 2);
    tss_set(key, slot);
    assert(tss_get(key) == slot);
    return 0;
}

int main(void)
{
    static int slots[2];
    thrd_t first, second;
    tss_create(&key, NULL);
    thrd_create(&first, worker, &slots[0]);
    thrd_create(&second, worker, &slots[1]);
    thrd_join(first, NULL);
    thrd_join(second, NULL);
    assert(own == 1);
    return 0;
}
