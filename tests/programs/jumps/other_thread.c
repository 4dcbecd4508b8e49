// selvedge: memory=unsafe race=safe deadlock=safe
// A thread jumps to where another has called setjmp.
#include <pthread.h>
#include <setjmp.h>

static jmp_buf back;

static void *worker(void *unused)
{
    longjmp(back, 1); // MEMORY! jumps to no `setjmp` of this thread
    return unused;
}

int main(void)
{
    pthread_t t1;
    if (setjmp(back) == 0) {
        pthread_create(&t1, NULL, worker, NULL);
        pthread_join(t1, NULL);
    }
    return 0;
}
