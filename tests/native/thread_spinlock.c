// Spin locks and C11 atomics used by a joined thread and by main.
// trylock reports busy while another thread holds the lock.
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static pthread_spinlock_t s;
static atomic_int hits;
static void *run(void *arg) {
    int e = pthread_spin_trylock(&s);
    atomic_fetch_add(&hits, e ? 100 : 1);
    if (!e) pthread_spin_unlock(&s);
    return NULL;
}
static void once(void) { pthread_t t; pthread_create(&t, NULL, run, NULL); pthread_join(t, NULL); printf("%d\n", atomic_load(&hits)); }
int main(void) {
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    once();
    pthread_spin_lock(&s);
    once();
    pthread_spin_unlock(&s);
    once();
    return pthread_spin_destroy(&s);
}
