// selvedge: assertion=unsafe race=safe
// As mutual_recursion.c, but the lock is given up and taken again on the way.
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int busy;

static void down(unsigned depth);

static void up(unsigned depth)
{
    assert(busy); // FAIL!
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (depth > 0)
        down(depth - 1);
}

static void down(unsigned depth)
{
    if (depth > 0)
        up(depth - 1);
    assert(busy); // FAIL!
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
