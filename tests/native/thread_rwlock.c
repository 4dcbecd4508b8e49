// Read-write locks: several readers in one thread, try operations from another.
// Codes are printed for each combination.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int out[2];
static void *probe(void *arg) {
    out[0] = pthread_rwlock_tryrdlock(&l);
    if (!out[0]) pthread_rwlock_unlock(&l);
    out[1] = pthread_rwlock_trywrlock(&l);
    if (!out[1]) pthread_rwlock_unlock(&l);
    return NULL;
}
static void ask(const char *when) {
    pthread_t t;
    pthread_create(&t, NULL, probe, NULL);
    pthread_join(t, NULL);
    printf("%s %d %d\n", when, out[0] == EBUSY, out[1] == EBUSY);
}
int main(void) {
    ask("free");
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_rdlock(&l);
    ask("read");
    pthread_rwlock_unlock(&l);
    ask("read once");
    pthread_rwlock_unlock(&l);
    pthread_rwlock_wrlock(&l);
    ask("write");
    printf("%d\n", pthread_rwlock_unlock(&l));
    ask("free");
    return pthread_rwlock_destroy(&l);
}
