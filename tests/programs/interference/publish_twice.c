// selvedge: race=safe atomicity=unsafe
// flags: --atomic 11-12
// A reader sees a value that was meant to be replaced before anyone looks.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int published;

static void *writer(void *unused)
{
    published = 1;
    published = 2;
    return unused;
}

static void *reader(void *unused)
{
    return published > 0 ? unused : NULL; // BETWEEN!
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
