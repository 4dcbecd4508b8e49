// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct box {
    pthread_mutex_t lock;
    int value;
};
static struct box *box;

static void *worker(void *unused)
{
    pthread_mutex_lock(&box->lock);
    box->value++; // NORACE
    pthread_mutex_unlock(&box->lock);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    box = malloc(sizeof *box);
    pthread_mutex_init(&box->lock, NULL);
    box->value = 0;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(box->value == 2);
    free(box);
    return 0;
}
