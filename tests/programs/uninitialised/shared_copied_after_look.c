// flags: --engine interference
// What one thread has looked at is copied with that value, whoever copies it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct pair {
    int left, right;
};

static struct pair *original, *copy;
static pthread_mutex_t lock;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    int left = original->left;
    *copy = *original;
    assert(copy->left == left);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    original = malloc(sizeof *original);
    copy = malloc(sizeof *copy);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
