// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// An object passes from one thread to the other under the lock; afterwards its new owner needs none.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int item;
static int *mailbox;

static void *sender(void *unused)
{
    item = 4; // NORACE
    pthread_mutex_lock(&lock);
    mailbox = &item;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *receiver(void *unused)
{
    pthread_mutex_lock(&lock);
    int *got = mailbox;
    pthread_mutex_unlock(&lock);
    if (got) {
        *got += 1; // NORACE
        assert(*got == 5); // NORACE
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
