// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
#include <pthread.h>
#include <string.h>

static char source[4], target[4];

static void *copier(void *unused)
{
    memcpy(target, source, sizeof source); // RACE! source
    return unused;
}

static void *writer(void *unused)
{
    source[2] = 'x'; // RACE! source
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, copier, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
