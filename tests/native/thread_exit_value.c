// pthread_exit from a nested call ends the thread with its value.
// The code after it does not run.
#include <pthread.h>
#include <stdio.h>
static int reached;
static void leave(int v) {
    if (v > 2) pthread_exit((void *)(long)(v * 100));
    reached++;
}
static void *run(void *arg) {
    for (int i = *(int *)arg;; i++) leave(i);
    return NULL;
}
int main(void) {
    for (int start = 0; start < 4; start++) {
        pthread_t t;
        void *r;
        pthread_create(&t, NULL, run, &start);
        pthread_join(t, &r);
        printf("%ld %d\n", (long)r, reached);
    }
    return 0;
}
