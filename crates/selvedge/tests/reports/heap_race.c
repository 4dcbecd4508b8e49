#include <pthread.h>
#include <stdlib.h>

struct channel {
    int items[4];
    pthread_mutex_t lock;
    int count;
};

void *send(void *argument) {
    struct channel *chan = argument;
    chan->count++;
    return 0;
}

int main(void) {
    struct channel *chan = malloc(sizeof *chan);
    pthread_t threads[2];
    chan->count = 0;
    pthread_mutex_init(&chan->lock, 0);
    pthread_create(&threads[0], 0, send, chan);
    pthread_create(&threads[1], 0, send, chan);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
