// selvedge: race=safe atomicity=safe
// flags: --atomic 12-13 --atomic 12-14
// Another thread reads between the write and the next read, and could as well have read before or after: that is serial. From line 12
// to line 14 there is an access on line 13, so that they are no neighbours.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int published, seen;

static void *writer(void *unused)
{
    published = 1;
    seen = published;
    published = seen + 1;
    return unused;
}

static void *reader(void *unused)
{
    return published > 0 ? unused : NULL;
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
