// C11 threads: thrd_create, thrd_join with result, mutexes, call_once, tss.
// One thread at a time, so that the output is determined.
#include <stdio.h>
#include <threads.h>
static mtx_t m;
static once_flag once = ONCE_FLAG_INIT;
static tss_t slot;
static int total;
static void init(void) { printf("once\n"); }
static int run(void *arg) {
    call_once(&once, init);
    mtx_lock(&m);
    total += *(int *)arg;
    mtx_unlock(&m);
    tss_set(slot, arg);
    return *(int *)tss_get(slot) + 1;
}
int main(void) {
    mtx_init(&m, mtx_plain);
    tss_create(&slot, NULL);
    for (int i = 1; i < 4; i++) {
        thrd_t t;
        int r = 0;
        int created = thrd_create(&t, run, &i) == thrd_success;
        int joined = thrd_join(t, &r) == thrd_success;
        printf("%d %d %d %d\n", created, joined, r, tss_get(slot) == NULL);
    }
    printf("%d\n", total);
    mtx_destroy(&m);
    return total;
}
