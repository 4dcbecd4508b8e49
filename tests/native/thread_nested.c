// A thread that itself creates and joins another; stack objects passed down.
// Depth three, one at a time.
#include <pthread.h>
#include <stdio.h>
struct frame { int depth; int result; };
static void *descend(void *arg) {
    struct frame *f = arg;
    if (f->depth == 0) { f->result = 1; return NULL; }
    struct frame below = {f->depth - 1, 0};
    pthread_t t;
    pthread_create(&t, NULL, descend, &below);
    pthread_join(t, NULL);
    f->result = below.result * 3 + f->depth;
    return NULL;
}
int main(void) {
    struct frame f = {3, 0};
    pthread_t t;
    pthread_create(&t, NULL, descend, &f);
    pthread_join(t, NULL);
    printf("%d\n", f.result);
    return f.result;
}
