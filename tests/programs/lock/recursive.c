// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// flags: -D_GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int x;

static void add(void)
{
    pthread_mutex_lock(&lock);
    x++; // NORACE
    pthread_mutex_unlock(&lock);
}

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    add();
    x++; // NORACE
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 4);
    return 0;
}
