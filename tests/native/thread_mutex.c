// Mutexes used by main and by a joined thread: lock, trylock, unlock, return codes.
// Static and dynamic initialisation.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void *add(void *arg) {
    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&m);
        counter += *(int *)arg;
        pthread_mutex_unlock(&m);
    }
    return NULL;
}
static void *attempt(void *arg) { *(int *)arg = pthread_mutex_trylock(&m); return NULL; }
int main(void) {
    pthread_t t;
    int by = 3, code = -1;
    pthread_create(&t, NULL, add, &by);
    pthread_join(t, NULL);
    printf("%d\n", counter);
    printf("%d ", pthread_mutex_lock(&m));
    pthread_create(&t, NULL, attempt, &code);
    pthread_join(t, NULL);
    printf("%d ", code == EBUSY);
    printf("%d\n", pthread_mutex_unlock(&m));
    pthread_mutex_t d;
    printf("%d ", pthread_mutex_init(&d, NULL));
    printf("%d ", pthread_mutex_trylock(&d));
    printf("%d ", pthread_mutex_trylock(&d) == EBUSY);
    printf("%d ", pthread_mutex_unlock(&d));
    printf("%d\n", pthread_mutex_destroy(&d));
    return 0;
}
