// A copy of a mutex's attributes says the same.
#include <pthread.h>

static pthread_mutex_t lock;

int main(void)
{
    pthread_mutexattr_t a, b;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    b = a;
    pthread_mutex_init(&lock, &b);
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
