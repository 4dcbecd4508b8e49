// selvedge: assertion=safe race=safe
// Two functions call each other as deep as they like while their caller holds the lock.
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int busy;

static void down(unsigned depth);

static void up(unsigned depth)
{
    assert(busy);
    if (depth > 0)
        down(depth - 1);
}

static void down(unsigned depth)
{
    if (depth > 0)
        up(depth - 1);
    assert(busy);
}

static void *client(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        busy = 1;
        down(__VERIFIER_nondet_uint());
        busy = 0;
        pthread_mutex_unlock(&lock);
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
