/* The same with a mutex, which has an owner: shared data tells who holds it. */
#include <pthread.h>

pthread_mutex_t m;
int x;

void *worker(void *arg) {
    for (;;) {
        pthread_mutex_lock(&m);
critical:
        x = !x;
        pthread_mutex_unlock(&m);
    }
}

int main(void) {
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
