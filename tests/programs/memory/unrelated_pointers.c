// selvedge: assertion=safe race=safe deadlock=unknown memory=unknown
#include <pthread.h>
#include <stddef.h>

static int a[2], b[2];
static ptrdiff_t distance;

static void *subtract(void *from)
{
    distance = (int *)from - a; // UNKNOWN! numeric address
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, subtract, &a[1]);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, subtract, &b[1]);
    pthread_join(thread, NULL);
    return 0;
}
