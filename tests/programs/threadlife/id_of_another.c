// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
// What one thread finds of itself, another need not: the first thread may look before the second one is there.
#include <assert.h>
#include <pthread.h>

pthread_t a, b;

void *first(void *arg)
{
    assert(b != 0); // FAIL! RACE! b
    return arg;
}

void *second(void *arg)
{
    assert(a != 0); // NORACE
    return arg;
}

int main(void)
{
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0); // RACE! b
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
