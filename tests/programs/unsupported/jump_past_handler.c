// selvedge: assertion=unknown race=unknown deadlock=unknown memory=unknown
// POSIX leaves open what a jump does from between `pthread_cleanup_push` and `pthread_cleanup_pop` to elsewhere.
#include <pthread.h>
#include <setjmp.h>

static jmp_buf start;

static void handler(void *unused)
{
    (void)unused;
}

static void work(int is_bad)
{
    pthread_cleanup_push(handler, NULL);
    if (is_bad)
        longjmp(start, 1);
    pthread_cleanup_pop(1);
}

static void *worker(void *unused)
{
    if (setjmp(start) == 0) { // UNKNOWN! a jump out of a block that a clean-up handler belongs to
        work(0);
        work(1);
    }
    pthread_exit(unused);
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
