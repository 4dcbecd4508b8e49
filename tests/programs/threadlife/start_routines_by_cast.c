// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// Start routines of other types work by the ABI of the assumed machine: a narrow parameter takes the low bits, no parameter
// takes none, and the low bits of the result are there.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

int seen, called;

void *narrow(int i)
{
    seen = i;
    return 0;
}

void nothing(void)
{
    called = 1;
}

int number(long l)
{
    return (int)l + 1;
}

void *byte(unsigned char c)
{
    assert(c == 0x34); // NORACE
    return 0;
}

int main(void)
{
    pthread_t a, b, c, d;
    void *result;
    pthread_create(&a, 0, (void *(*)(void *))narrow, (void *)(intptr_t)-7);
    pthread_create(&b, 0, (void *(*)(void *))nothing, 0);
    pthread_create(&c, 0, (void *(*)(void *))number, (void *)41);
    pthread_create(&d, 0, (void *(*)(void *))byte, (void *)0x1234);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, &result);
    pthread_join(d, 0);
    assert(seen == -7 && called);
    assert((int)(intptr_t)result == 42);
    assert(called == 2); // FAIL!
    return 0;
}
