// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
#include <pthread.h>
#include <stdatomic.h>

static pthread_t other;
static atomic_int known;

static void *first(void *unused)
{
    while (!atomic_load(&known)) {
    }
    pthread_join(other, NULL); // DEADLOCK!
    return unused;
}

static void *second(void *thread)
{
    pthread_join(*(pthread_t *)thread, NULL); // DEADLOCK!
    return NULL;
}

int main(void)
{
    static pthread_t one;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&other, NULL, second, &one);
    atomic_store(&known, 1);
    pthread_exit(NULL);
}
