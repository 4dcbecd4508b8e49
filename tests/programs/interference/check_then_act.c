// selvedge: assertion=safe race=safe deadlock=safe memory=safe atomicity=unsafe
// flags: --atomic 14-18
// Each access is locked, but what was seen may be old when it is acted upon: a sale is lost.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 2;

static void *sell(void *unused)
{
    int seen;
    (void)unused;
    pthread_mutex_lock(&lock);
    seen = stock;
    pthread_mutex_unlock(&lock);
    if (seen > 0) {
        pthread_mutex_lock(&lock);
        stock = seen - 1; // BETWEEN!
        pthread_mutex_unlock(&lock);
    }
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
