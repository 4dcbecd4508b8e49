// selvedge: race=safe
// flags: --property race --timeout 20
// INFINITE: loops without end
// Of what `pow` gives only the range is known. That does not matter to who holds the lock.
#include <math.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double level = 2;
static int rounds;

static void *worker(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        level = pow(level, 1.5);
        if (level > 10)
            rounds++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
