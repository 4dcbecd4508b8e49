// Recursive and error-checking mutexes through attributes.
// Error codes for relocking and for unlocking what is not held.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t rec, chk;
static void *try_both(void *arg) {
    int *out = arg;
    out[0] = pthread_mutex_trylock(&rec);
    out[1] = pthread_mutex_unlock(&chk);
    return NULL;
}
int main(void) {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&rec, &a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&chk, &a);
    pthread_mutexattr_destroy(&a);
    for (int i = 0; i < 3; i++) printf("%d ", pthread_mutex_lock(&rec));
    printf("%d ", pthread_mutex_lock(&chk));
    printf("%d\n", pthread_mutex_lock(&chk) == EDEADLK);
    int out[2];
    pthread_t t;
    pthread_create(&t, NULL, try_both, out);
    pthread_join(t, NULL);
    printf("%d %d\n", out[0] == EBUSY, out[1] == EPERM);
    for (int i = 0; i < 3; i++) printf("%d ", pthread_mutex_unlock(&rec));
    printf("%d ", pthread_mutex_unlock(&chk));
    printf("%d\n", pthread_mutex_unlock(&chk) == EPERM);
    pthread_create(&t, NULL, try_both, out);
    pthread_join(t, NULL);
    printf("%d %d\n", out[0], out[1] == EPERM);
    return 0;
}
