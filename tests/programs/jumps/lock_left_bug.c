// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
// A jump leaves a function that holds a lock.
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int amount;

static void take(jmp_buf *back, int wanted)
{
    pthread_mutex_lock(&lock); // DEADLOCK!
    if (wanted > amount)
        longjmp(*back, 1);
    amount -= wanted;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *unused)
{
    jmp_buf back;
    if (setjmp(back) == 0)
        take(&back, 1);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL); // DEADLOCK!
    pthread_join(t2, NULL); // DEADLOCK!
    return 0;
}
