// selvedge: assertion=safe race=safe
// flags: --property assertion --property race
// INFINITE: any number of threads, as deep as they like
// Each call has a local of its own, which the one below is given to add to.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void walk(int depth, int *sum)
{
    int below = 0;
    if (depth > 0)
        walk(depth - 1, &below);
    *sum += below + 1; // NORACE
    int found = below;
    pthread_mutex_lock(&lock);
    if (found > 0 && found < 1000 && balance < 1000000)
        balance += found;
    assert(balance >= 0);
    pthread_mutex_unlock(&lock);
}

static void *client(void *unused)
{
    for (;;) {
        int sum = 0;
        walk(__VERIFIER_nondet_int(), &sum);
    }
    return unused;
}

int main(void)
{
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, NULL, client, NULL);
    }
}
