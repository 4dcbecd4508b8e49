// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>
#include <string.h>

static char target[4];
static const char *source = "much";

static void *copier(void *unused)
{
    strcpy(target, source); // MEMORY! accesses memory outside of its object
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, copier, NULL);
    pthread_join(t1, NULL);
    return 0;
}
