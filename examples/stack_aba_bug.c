/* A lock-free stack with the ABA problem: a pop reads the top A and the next B; meanwhile another thread pops both and pushes
   A back. The compare-and-swap still finds A, succeeds, and puts B, which is in use, on top.
   Every access is atomic and nothing races; Selvedge finds the schedule that gives one node to two owners. */
// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE = -1 };

static atomic_int next[2] = {1, NONE};
static atomic_int top = 0;
static atomic_int owners[2];

static int pop(void)
{
    int node = atomic_load(&top);
    while (node != NONE) {
        int below = atomic_load(&next[node]);
        if (atomic_compare_exchange_strong(&top, &node, below)) {
            int before = atomic_fetch_add(&owners[node], 1);
            assert(before == 0); // FAIL!
            return node;
        }
    }
    return NONE;
}

static void push(int node)
{
    atomic_fetch_sub(&owners[node], 1);
    int below = atomic_load(&top);
    do {
        atomic_store(&next[node], below);
    } while (!atomic_compare_exchange_strong(&top, &below, node));
}

static void *slow(void *unused)
{
    pop();
    return unused;
}

static void *busy(void *unused)
{
    int first = pop();
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
