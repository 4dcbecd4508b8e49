// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
#include <pthread.h>
#include <string.h>

static char buffer[4];

static void *clearer(void *unused)
{
    memset(buffer, 0, 3); // RACE! buffer
    buffer[3] = 1; // NORACE
    return unused;
}

static void *writer(void *unused)
{
    buffer[1] = 2; // RACE! buffer
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, clearer, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
