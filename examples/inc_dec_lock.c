/* One thread takes from a store only what another has put there; a lock keeps the stock consistent.
   After the INC-DEC-L benchmark of paper 004: increments and decrements of one counter by many threads.
   Selvedge proves that the stock is never negative and that nothing races. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static int stock;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *supplier(void *unused)
{
    pthread_mutex_lock(&lock);
    stock++;
    assert(stock > 0);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *customer(void *unused)
{
    pthread_mutex_lock(&lock);
    if (stock > 0)
        stock--;
    assert(stock >= 0);
    pthread_mutex_unlock(&lock);
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
    assert(stock == 0 || stock == 1);
    return 0;
}
