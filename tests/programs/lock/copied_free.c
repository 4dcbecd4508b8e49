// A struct with a lock in it may be set up by assignment, and be copied by who holds the lock.
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account account;

static void *worker(void *unused)
{
    pthread_mutex_lock(&account.lock);
    struct account copy = account;
    account.balance = copy.balance + 1;
    pthread_mutex_unlock(&account.lock);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    account = (struct account){.lock = PTHREAD_MUTEX_INITIALIZER, .balance = 1};
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
