// selvedge: race=unknown
// On the machine, zeros over a held lock set it free.
#include <pthread.h>
#include <string.h>

static struct {
    int x;
    pthread_mutex_t lock;
} shared;

static void *worker(void *unused)
{
    memset(&shared.lock, 0, sizeof shared.lock); // UNKNOWN! a lock that is in use
    pthread_mutex_lock(&shared.lock);
    shared.x = 1;
    pthread_mutex_unlock(&shared.lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&shared.lock);
    pthread_create(&t, NULL, worker, NULL);
    shared.x = 2;
    pthread_mutex_unlock(&shared.lock);
    pthread_join(t, NULL);
    return 0;
}
