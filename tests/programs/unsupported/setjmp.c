// selvedge: assertion=unknown race=unknown deadlock=unknown memory=unknown
#include <pthread.h>
#include <setjmp.h>

static jmp_buf start;

static void *worker(void *unused)
{
    if (setjmp(start) == 0)
        longjmp(start, 1); // UNKNOWN! longjmp
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
