/* Check, then act: each step is atomic, the two together are not. Two customers can both see the last piece.
   The broken twin of inc_dec_cas.c. Selvedge shows the schedule that makes the stock negative. */
// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stock = 1;

static void *customer(void *unused)
{
    if (atomic_load(&stock) > 0)
        atomic_fetch_sub(&stock, 1);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, customer, NULL);
    pthread_create(&second, NULL, customer, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(atomic_load(&stock) >= 0); // FAIL!
    return 0;
}
