// selvedge: deadlock=safe memory=safe
// Three accounts on the heap, three transfers around the circle: no cycle, for the addresses are in one order for everybody.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

struct account { int balance; pthread_mutex_t lock; };
struct account *accounts[3];

static void transfer(struct account *from, struct account *to) {
    struct account *low = (uintptr_t)from < (uintptr_t)to ? from : to;
    struct account *high = low == from ? to : from;
    pthread_mutex_lock(&low->lock);
    pthread_mutex_lock(&high->lock);
    from->balance--;
    to->balance++;
    pthread_mutex_unlock(&high->lock);
    pthread_mutex_unlock(&low->lock);
}

void *first(void *unused) {
    transfer(accounts[0], accounts[1]);
    return unused;
}

void *second(void *unused) {
    transfer(accounts[1], accounts[2]);
    return unused;
}

int main(void) {
    pthread_t one, two;
    for (int i = 0; i < 3; i++) {
        accounts[i] = malloc(sizeof *accounts[i]);
        accounts[i]->balance = 0;
        pthread_mutex_init(&accounts[i]->lock, 0);
    }
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    transfer(accounts[2], accounts[0]);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
