// selvedge: race=safe
// flags: --property race --no-signals --assume-externals=raise --timeout 20
// INFINITE: loops without end
// What `raise` does is not modelled; it touches nothing of the program's.
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned served;

static void *worker(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        if (++served == 1000000)
            raise(SIGTERM);
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
