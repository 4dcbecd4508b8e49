// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// The address of one thread's own variable is handed to another.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Thread_local int own;
static _Atomic(int *) published;

static void *owner(void *unused)
{
    atomic_store(&published, &own);
    own = 1; // RACE! own
    while (atomic_load(&published) != NULL) {
    }
    return unused;
}

static void *guest(void *unused)
{
    int *theirs = atomic_load(&published);
    if (theirs != NULL)
        *theirs = 2; // RACE! own
    atomic_store(&published, NULL);
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_t keeper;
    pthread_create(&keeper, NULL, owner, NULL);
    pthread_create(&t1, NULL, guest, NULL);
    pthread_join(t1, NULL);
    return 0;
}
