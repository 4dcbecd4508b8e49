// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The lock is given back before the jump.
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int amount = 1; // NORACE

static void take(jmp_buf *back, int wanted)
{
    pthread_mutex_lock(&lock);
    if (wanted > amount) {
        pthread_mutex_unlock(&lock);
        longjmp(*back, 1);
    }
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
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
