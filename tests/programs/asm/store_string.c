// selvedge: race=safe memory=safe assertion=safe
// `rep stos`, as FD_ZERO was written: clears a set that two threads share, under their lock.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned set[4];

static void clear(unsigned *words, unsigned long count)
{
    int rest, end;
    __asm__ volatile("cld; rep; stosl" : "=c"(rest), "=D"(end) : "a"(0), "0"(count), "1"(words) : "memory");
}

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    set[1] = 5;
    clear(set, 3);
    assert(set[1] == 0 && set[2] == 0);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    return 0;
}
