// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// Copying a struct reads all of it.
#include <pthread.h>

struct pair {
    int a, b;
};
static struct pair shared, copy;

static void *copier(void *unused)
{
    copy = shared; // RACE! shared
    return unused;
}

static void *writer(void *unused)
{
    shared.b = 1; // RACE! shared
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
