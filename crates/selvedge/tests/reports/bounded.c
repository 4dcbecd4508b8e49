#include <assert.h>
#include <pthread.h>

int total;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    total = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&lock);
    assert(total < 2);
    pthread_mutex_unlock(&lock);
    return 0;
}
