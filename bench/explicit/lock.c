/* N threads, each three times in a critical section under one mutex. */
#include <pthread.h>
#include <assert.h>
#ifndef N
#define N 3
#endif
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int inside;
static void critical(void) {
    pthread_mutex_lock(&m);
    inside++;
    assert(inside == 1);
    inside--;
    pthread_mutex_unlock(&m);
}
void *worker(void *arg) {
    critical();
    critical();
    critical();
    return 0;
}
int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    return 0;
}
