// selvedge: race=safe atomicity=unsafe
// flags: --atomic 13-13
// An atomic load and an atomic store are not an atomic update.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *count(void *unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++)
        counter = counter + 1; // BETWEEN!
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
