// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>

static char *text = "fixed";

static void *worker(void *unused)
{
    text[0] = 'm'; // MEMORY! writes to a constant
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
