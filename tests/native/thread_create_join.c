// pthread_create and join one thread at a time; argument in, result out.
// Results come back through the join value and through memory.
#include <pthread.h>
#include <stdio.h>
struct job { int from, to; long sum; };
static void *work(void *arg) {
    struct job *j = arg;
    for (int i = j->from; i < j->to; i++) j->sum += i * i;
    return j;
}
static void *echo(void *arg) { return (void *)((long)arg * 2); }
int main(void) {
    struct job jobs[3] = {{0, 5}, {5, 10}, {10, 12}};
    long total = 0;
    for (int i = 0; i < 3; i++) {
        pthread_t t;
        void *r;
        int e = pthread_create(&t, NULL, work, &jobs[i]);
        int f = pthread_join(t, &r);
        printf("%d %d %d %ld\n", e, f, r == &jobs[i], jobs[i].sum);
        total += ((struct job *)r)->sum;
    }
    pthread_t t;
    void *r;
    pthread_create(&t, NULL, echo, (void *)21L);
    pthread_join(t, &r);
    printf("%ld %ld\n", total, (long)r);
    return (long)r;
}
