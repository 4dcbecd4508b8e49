// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Packed members may straddle words; they still share no byte.
#include <assert.h>
#include <pthread.h>

static struct __attribute__((packed)) {
    char a;
    int b;
    char c;
} s;

static void *first(void *unused)
{
    s.b = 0x01020304; // NORACE
    return unused;
}

static void *second(void *unused)
{
    s.a = 1; // NORACE
    s.c = 3; // NORACE
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(s.a == 1 && s.b == 0x01020304 && s.c == 3);
    return 0;
}
