#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;

int main(void)
{
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return x;
}
