// selvedge: race=unsafe
// An index so large that its product with the size of an element wraps around and meets the middle of an element. (In C
// this is undefined; what is undefined is judged by itself.)
#include <pthread.h>

struct {
    int a, b, c;
} t[4];
unsigned long far = 0xAAAAAAAAAAAAAAABul;

static void *one(void *arg)
{
    t[far].a = 1; // RACE! t
    return arg;
}

static void *other(void *arg)
{
    t[0].b = 2; // RACE! t
    return arg;
}

int main(void)
{
    pthread_t x, y;
    pthread_create(&x, 0, one, 0);
    pthread_create(&y, 0, other, 0);
    pthread_join(x, 0);
    pthread_join(y, 0);
    return 0;
}
