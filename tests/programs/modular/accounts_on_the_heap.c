// selvedge: race=safe memory=safe
// flags: --property race --property memory
// INFINITE: any number of threads
// Any number of accounts on the heap, each with its lock in it, each shared by two clients.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

void *client(void *argument) {
    struct account *account = argument;
    for (;;) {
        pthread_mutex_lock(&account->lock);
        if (account->balance < 1000)
            account->balance++;
        pthread_mutex_unlock(&account->lock);
    }
}

int main(void) {
    for (;;) {
        struct account *account = malloc(sizeof *account);
        pthread_mutex_init(&account->lock, 0);
        account->balance = 0;
        pthread_t thread;
        pthread_create(&thread, 0, client, account);
        pthread_create(&thread, 0, client, account);
    }
}
