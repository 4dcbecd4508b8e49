// Thread-specific data: keys, per-thread values, destructors at thread end.
// Main's value is not touched by the other thread.
#include <pthread.h>
#include <stdio.h>
static pthread_key_t key;
static int destroyed;
static void drop(void *p) { destroyed += *(int *)p; }
static void *run(void *arg) {
    printf("%d\n", pthread_getspecific(key) == NULL);
    pthread_setspecific(key, arg);
    return pthread_getspecific(key);
}
int main(void) {
    int mine = 1, theirs = 40;
    printf("%d\n", pthread_key_create(&key, drop));
    pthread_setspecific(key, &mine);
    pthread_t t;
    void *r;
    pthread_create(&t, NULL, run, &theirs);
    pthread_join(t, &r);
    printf("%d %d\n", r == &theirs, destroyed);
    printf("%d\n", pthread_getspecific(key) == &mine);
    printf("%d\n", pthread_key_delete(key));
    return 0;
}
