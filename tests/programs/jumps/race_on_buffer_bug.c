// selvedge: race=unsafe
// Two threads fill one buffer.
#include <pthread.h>
#include <setjmp.h>

static jmp_buf back;

static void *worker(void *unused)
{
    if (setjmp(back) == 0) // RACE! back
        return unused;
    return NULL;
}

static void *jumper(void *unused)
{
    jmp_buf own;
    if (setjmp(own) == 0)
        longjmp(own, 1);
    return unused;
}

int main(void)
{
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_create(&t3, NULL, jumper, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
