// selvedge: race=unsafe
// flags: --property race
// INFINITE: any number of threads
// The clients of an account do not take its lock.
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
        if (account->balance < 1000) // RACE! heap
            account->balance++; // RACE! heap
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
