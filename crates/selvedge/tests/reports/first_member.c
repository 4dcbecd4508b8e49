#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

struct account till[2];
struct account *bank;

void *deposit(void *argument) {
    pthread_mutex_lock(&bank->lock);
    pthread_mutex_lock(&till[1].lock);
    till[1].balance--;
    bank->balance++;
    pthread_mutex_unlock(&till[1].lock);
    pthread_mutex_unlock(&bank->lock);
    return 0;
}

int main(int count, char **arguments) {
    pthread_t thread;
    bank = malloc(sizeof *bank);
    bank->balance = 0;
    pthread_mutex_init(&bank->lock, 0);
    pthread_create(&thread, 0, deposit, 0);
    pthread_mutex_lock(&till[1].lock);
    pthread_mutex_lock(&bank->lock);
    bank->balance--;
    till[1].balance++;
    pthread_mutex_unlock(&bank->lock);
    pthread_mutex_unlock(&till[1].lock);
    pthread_join(thread, 0);
    return 0;
}
