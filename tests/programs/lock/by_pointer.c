// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};
static struct account account = {PTHREAD_MUTEX_INITIALIZER, 0};

static void deposit(struct account *to, int amount)
{
    pthread_mutex_lock(&to->lock);
    to->balance += amount; // NORACE
    pthread_mutex_unlock(&to->lock);
}

static void *worker(void *unused)
{
    deposit(&account, 5);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(account.balance == 10);
    return 0;
}
