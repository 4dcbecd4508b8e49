// selvedge: race=unsafe
// flags: --property race
// INFINITE: any number of threads
// The account is changed after its clients were started.
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
        if (account->balance < 1000) // RACE! heap
            account->balance++; // RACE! heap
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
        account->balance = 1; // RACE! heap
    }
}
