/* The stack of stack_aba_bug.c, repaired: the top carries a version that every exchange increases, so a top that went away and
   came back is not taken for the old one. Selvedge proves that no node has two owners in these schedules. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE = 255 };

static atomic_uint next[2] = {1, NONE};
static atomic_uint top = 0; /* the version times 256, plus the node */
static atomic_int owners[2];

static unsigned pop(void)
{
    unsigned seen = atomic_load(&top);
    while (seen % 256 != NONE) {
        unsigned node = seen % 256, version = seen / 256;
        unsigned below = atomic_load(&next[node]);
        if (atomic_compare_exchange_strong(&top, &seen, (version + 1) * 256 + below)) {
            int before = atomic_fetch_add(&owners[node], 1);
            assert(before == 0);
            return node;
        }
    }
    return NONE;
}

static void push(unsigned node)
{
    atomic_fetch_sub(&owners[node], 1);
    unsigned seen = atomic_load(&top);
    do {
        atomic_store(&next[node], seen % 256);
    } while (!atomic_compare_exchange_strong(&top, &seen, (seen / 256 + 1) * 256 + node));
}

static void *slow(void *unused)
{
    pop();
    return unused;
}

static void *busy(void *unused)
{
    unsigned first = pop();
    pop();
    if (first != NONE)
        push(first);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, slow, NULL);
    pthread_create(&two, NULL, busy, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    while (pop() != NONE) {
    }
    return 0;
}
