// Memory is zeroed before the lock in it is set up, and again after it was destroyed.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct box {
    long value;
    pthread_mutex_t lock;
};

static void *worker(void *argument)
{
    struct box *box = argument;
    pthread_mutex_lock(&box->lock);
    box->value++; // NORACE
    pthread_mutex_unlock(&box->lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct box *box = malloc(sizeof *box);
    for (int round = 0; round < 2; round++) {
        memset(box, 0, sizeof *box);
        pthread_mutex_init(&box->lock, NULL);
        pthread_create(&t, NULL, worker, box);
        worker(box);
        pthread_join(t, NULL);
        pthread_mutex_destroy(&box->lock);
    }
    free(box);
    return 0;
}
