#include <pthread.h>

int balance = 10;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *withdraw(void *unused) {
    pthread_mutex_lock(&lock);
    int seen = balance;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    balance = seen - 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, withdraw, 0);
    pthread_create(&second, 0, withdraw, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
