// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The last to leave frees: every other access comes before, in the order of the lock.
#include <pthread.h>
#include <stdlib.h>

struct shared {
    int value;
} *s;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int users = 2;

void *run(void *arg)
{
    pthread_mutex_lock(&m);
    s->value++; // NORACE
    int last = --users == 0;
    pthread_mutex_unlock(&m);
    if (last)
        free(s); // NORACE
    return arg;
}

int main(void)
{
    pthread_t t;
    s = calloc(1, sizeof *s);
    pthread_create(&t, 0, run, 0);
    run(0);
    pthread_join(t, 0);
    return 0;
}
