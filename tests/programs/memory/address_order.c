// selvedge: deadlock=safe memory=safe
// Locking in the order of addresses is a good idiom: objects have no numeric addresses here, but any order.
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_t *first = &a, *second = &b;
    if ((uintptr_t)second < (uintptr_t)first) {
        first = &b;
        second = &a;
    }
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    return 0;
}
