// selvedge: assertion=safe deadlock=safe memory=unsafe
// A pointer to a thread's local outlives the thread.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(int *) published;

static void *short_lived(void *unused)
{
    int local = 1;
    atomic_store(&published, &local);
    return unused;
}

static void *reader(void *unused)
{
    int *mine = atomic_load(&published);
    if (mine != NULL)
        *mine = 2; // MEMORY! accesses a local variable whose block or function has ended
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, short_lived, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
