// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>

static double large = 1e20;
static int result;

static void *worker(void *unused)
{
    result = (int)large; // MEMORY! converts a floating-point number to an integer type that cannot hold it
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
