/* The store of inc_dec_lock.c without a lock: a customer takes with compare-and-swap, and only if there is something.
   After the INC-DEC-C benchmark of paper 004, one of its hardest. Selvedge proves that the stock is never negative. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stock;

static void *supplier(void *unused)
{
    int before = atomic_fetch_add(&stock, 1);
    assert(before >= 0);
    return unused;
}

static void *customer(void *unused)
{
    int seen = atomic_load(&stock);
    while (seen > 0) {
        if (atomic_compare_exchange_strong(&stock, &seen, seen - 1))
            break;
    }
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, supplier, NULL);
    pthread_create(&threads[1], NULL, customer, NULL);
    pthread_create(&threads[2], NULL, customer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(atomic_load(&stock) >= 0);
    return 0;
}
