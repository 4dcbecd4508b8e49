// pthread_once runs its routine a single time, whoever calls it first.
// Called from a thread and then twice from main.
#include <pthread.h>
#include <stdio.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs;
static void setup(void) { runs++; printf("setup\n"); }
static void *use(void *arg) { pthread_once(&once, setup); return (void *)(long)runs; }
int main(void) {
    pthread_t t;
    void *r;
    pthread_create(&t, NULL, use, NULL);
    pthread_join(t, &r);
    printf("%ld\n", (long)r);
    printf("%d ", pthread_once(&once, setup));
    use(NULL);
    printf("%d\n", runs);
    return runs;
}
