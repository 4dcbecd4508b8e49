// selvedge: assertion=safe race=safe deadlock=safe memory=safe atomicity=safe
// flags: --atomic 14-16
// The lock is held from the check to the act.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 2;

static void *sell(void *unused)
{
    int seen;
    (void)unused;
    pthread_mutex_lock(&lock);
    seen = stock;
    if (seen > 0)
        stock = seen - 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, sell, NULL);
    pthread_create(&t2, NULL, sell, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
