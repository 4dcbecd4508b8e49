// A barrier of count one never blocks and always elects the caller.
// Crossed several times by main and by a joined thread.
#include <pthread.h>
#include <stdio.h>
static pthread_barrier_t b;
static void *cross(void *arg) { return (void *)(long)(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD); }
int main(void) {
    printf("%d\n", pthread_barrier_init(&b, NULL, 1));
    for (int i = 0; i < 3; i++) printf("%d ", pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);
    pthread_t t;
    void *r;
    pthread_create(&t, NULL, cross, NULL);
    pthread_join(t, &r);
    printf("%ld\n", (long)r);
    printf("%d\n", pthread_barrier_destroy(&b));
    return 0;
}
