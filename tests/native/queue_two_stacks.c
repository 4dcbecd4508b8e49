// A queue made of two growable stacks using realloc.
// Capacity doubles; contents survive the moves.
#include <stdio.h>
#include <stdlib.h>
struct stack { int *v; int n, cap; };
static void push(struct stack *s, int x) {
    if (s->n == s->cap) { s->cap = s->cap ? s->cap * 2 : 1; s->v = realloc(s->v, s->cap * sizeof *s->v); }
    s->v[s->n++] = x;
}
static int pop(struct stack *s) { return s->v[--s->n]; }
struct queue { struct stack in, out; };
static void enqueue(struct queue *q, int x) { push(&q->in, x); }
static int dequeue(struct queue *q) {
    if (!q->out.n) while (q->in.n) push(&q->out, pop(&q->in));
    return q->out.n ? pop(&q->out) : -1;
}
int main(void) {
    struct queue q = {{0}};
    for (int i = 0; i < 5; i++) enqueue(&q, i * i);
    printf("%d ", dequeue(&q));
    printf("%d ", dequeue(&q));
    for (int i = 5; i < 9; i++) enqueue(&q, i);
    for (int i = 0; i < 9; i++) printf("%d ", dequeue(&q));
    printf("\n%d %d\n", q.in.cap, q.out.cap);
    free(q.in.v);
    free(q.out.v);
    return 0;
}
