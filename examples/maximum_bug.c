/* Compare without the lock, update under it: between the two, another thread may have found something larger.
   The broken twin of maximum_lock.c; the maximum is atomic, so no race gives it away. Selvedge shows the schedule in which a
   smaller element overwrites a larger one. */
// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static const int elements[2] = {3, 7};
static atomic_int maximum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *search(void *element)
{
    int mine = *(const int *)element;
    if (mine > atomic_load(&maximum)) {
        pthread_mutex_lock(&lock);
        atomic_store(&maximum, mine);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, search, (void *)&elements[0]);
    pthread_create(&second, NULL, search, (void *)&elements[1]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    for (int i = 0; i < 2; i++)
        assert(elements[i] <= atomic_load(&maximum)); // FAIL!
    return 0;
}
