// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Allocated by one thread, freed by the other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) mailbox;

static void *sender(void *unused)
{
    int *message = malloc(sizeof *message);
    *message = 9; // NORACE
    atomic_store(&mailbox, message);
    return unused;
}

static void *receiver(void *unused)
{
    int *message = atomic_load(&mailbox);
    if (message) {
        assert(*message == 9); // NORACE
        free(message);
    }
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, sender, NULL);
    pthread_create(&t2, NULL, receiver, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
