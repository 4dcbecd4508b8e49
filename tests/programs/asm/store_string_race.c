// selvedge: race=unsafe
// `rep stos` writes what D points to: outside of the lock it races.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned set[4];

static void *worker(void *unused)
{
    unsigned long rest = 4;
    unsigned *end = set;
    __asm__ volatile("rep stosl" : "+c"(rest), "+D"(end) : "a"(7) : "memory"); // RACE! set
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&lock);
    set[3] = 1; // RACE! set
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
