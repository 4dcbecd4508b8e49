// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>
#include <string.h>

static char source[8], target[4];
static volatile unsigned length = 8;

static void *copier(void *unused)
{
    memcpy(target, source, length); // MEMORY! accesses memory outside of its object
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, copier, NULL);
    pthread_join(t1, NULL);
    return 0;
}
