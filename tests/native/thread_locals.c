// _Thread_local objects: every thread has its own copy with the initial value.
// Static locals without it are shared.
#include <pthread.h>
#include <stdio.h>
static _Thread_local int mine = 10;
static int shared = 10;
static int count(void) { static _Thread_local int n; static int all; n++; all++; return n * 100 + all; }
static void *run(void *arg) {
    printf("%d %d ", mine, shared);
    mine += 5;
    shared += 5;
    count();
    printf("%d\n", count());
    return arg ? (void *)(long)(&mine != arg) : NULL;
}
int main(void) {
    mine++;
    void *r;
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_create(&t, NULL, run, &mine);
        pthread_join(t, &r);
        printf("%ld\n", (long)r);
    }
    run(NULL);
    printf("%d %d\n", mine, shared);
    return 0;
}
