// selvedge: assertion=unknown race=unknown deadlock=unknown memory=unknown
// What an array holds that is being sorted is not known when the comparison is left by a jump.
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

static _Thread_local jmp_buf start;

static int compare(const void *left, const void *right)
{
    if (*(const int *)left == *(const int *)right)
        longjmp(start, 1);
    return *(const int *)left - *(const int *)right;
}

static void *worker(void *unused)
{
    int numbers[] = {2, 1, 2};
    if (setjmp(start) == 0)
        qsort(numbers, 3, sizeof *numbers, compare); // UNKNOWN! a jump out of a function that `qsort` calls
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
