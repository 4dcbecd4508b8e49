// selvedge: race=safe deadlock=safe memory=safe
// Two locks taken in the order of their addresses, whichever that is.
#include <pthread.h>
#include <stdint.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int n;

static void both(pthread_mutex_t *p, pthread_mutex_t *q) {
    if ((uintptr_t)p < (uintptr_t)q) {
        pthread_mutex_lock(p);
        pthread_mutex_lock(q);
    } else {
        pthread_mutex_lock(q);
        pthread_mutex_lock(p);
    }
    n++;
    pthread_mutex_unlock(p);
    pthread_mutex_unlock(q);
}

void *other(void *unused) {
    both(&a, &b);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    both(&b, &a);
    pthread_join(thread, 0);
    return 0;
}
