// selvedge: deadlock=unsafe
// One thread takes the lower lock first, the other the higher one, whichever that is.
#include <pthread.h>
#include <stdint.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second); // DEADLOCK!
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

void *other(void *unused) {
    uintptr_t left = (uintptr_t)&a, right = (uintptr_t)&b;
    if (left > right)
        both(&a, &b);
    else
        both(&b, &a);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    if ((uintptr_t)&a <= (uintptr_t)&b)
        both(&a, &b);
    else
        both(&b, &a);
    pthread_join(thread, 0); // DEADLOCK!
    return 0;
}
