// selvedge: race=safe atomicity=safe
// flags: --atomic 13-13
// One update from load to store. What lies between two of them is another matter.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *count(void *unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++)
        counter += 1;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, count, NULL);
    pthread_create(&t2, NULL, count, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
