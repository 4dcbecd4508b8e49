// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// Only where an error was handled does a thread write without the lock.
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void work(jmp_buf *back)
{
    pthread_mutex_lock(&lock);
    int is_first = count++ == 0; // RACE! count
    pthread_mutex_unlock(&lock);
    if (!is_first)
        longjmp(*back, 1);
}

static void *worker(void *unused)
{
    jmp_buf back;
    if (setjmp(back) == 0)
        work(&back);
    else
        count--; // RACE! count
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int at = 0; at < 3; at++)
        pthread_create(&threads[at], NULL, worker, NULL);
    for (int at = 0; at < 3; at++)
        pthread_join(threads[at], NULL);
    return 0;
}
