// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
// A routine of pthread_once that is left by a jump is never done.
#include <pthread.h>
#include <setjmp.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static _Thread_local jmp_buf back;

static void routine(void)
{
    longjmp(back, 1);
}

static void *worker(void *unused)
{
    if (setjmp(back) == 0)
        pthread_once(&control, routine); // DEADLOCK!
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
