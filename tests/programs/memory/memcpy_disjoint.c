// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char source[4] = "abc", target[8];

static void *first(void *unused)
{
    memcpy(target, source, 4); // NORACE
    return unused;
}

static void *second(void *unused)
{
    memcpy(target + 4, source, 4); // NORACE
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(memcmp(target, "abc\0abc", 8) == 0);
    return 0;
}
