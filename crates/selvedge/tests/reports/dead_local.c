#include <pthread.h>

int *where;

void *work(void *unused) {
    int me = 0;
    where = &me;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    *where = 1;
    return 0;
}
