// selvedge: assertion=safe race=safe
// flags: --property assertion --property race
// Clients walk down and up again, as deep as they like, and book on the way.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void book(int amount)
{
    pthread_mutex_lock(&lock);
    if (amount > 0 && amount < 1000 && balance < 1000000)
        balance += amount;
    else if (amount < 0 && amount > -1000 && balance + amount >= 0)
        balance += amount;
    assert(balance >= 0);
    pthread_mutex_unlock(&lock);
}

static void walk(int depth)
{
    if (depth <= 0)
        return;
    book(depth);
    walk(depth - 1);
    book(-depth);
}

static void *client(void *unused)
{
    for (;;)
        walk(__VERIFIER_nondet_int());
    return unused;
}

int main(void)
{
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, NULL, client, NULL);
    }
}
