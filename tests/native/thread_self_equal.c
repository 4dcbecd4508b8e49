// pthread_self and pthread_equal within main and a joined thread.
// The id given by create equals the thread's own view.
#include <pthread.h>
#include <stdio.h>
static pthread_t inner;
static void *look(void *arg) {
    inner = pthread_self();
    return (void *)(long)!!pthread_equal(inner, *(pthread_t *)arg);
}
int main(void) {
    pthread_t me = pthread_self(), t;
    void *same;
    pthread_create(&t, NULL, look, &me);
    pthread_join(t, &same);
    printf("%d %d %ld\n", !!pthread_equal(me, pthread_self()), !!pthread_equal(t, inner), (long)same);
    return 0;
}
