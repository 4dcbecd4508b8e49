// selvedge: race=unknown
// flags: --property race --timeout 20
// INFINITE: loops without end
// Without being told that `raise` touches nothing, nobody says so.
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned served;

static void *worker(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        if (++served == 1000000)
            raise(SIGTERM); // UNKNOWN! raise
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
