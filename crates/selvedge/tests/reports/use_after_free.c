#include <pthread.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *next;
} *list;

void *drop(void *unused) {
    free(list);
    return unused;
}

int main(void) {
    pthread_t thread;
    list = malloc(sizeof *list);
    list->next = 0;
    pthread_create(&thread, 0, drop, 0);
    pthread_join(thread, 0);
    list->key = 1;
    return 0;
}
