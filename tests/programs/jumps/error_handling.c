// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Errors are handled in one place, whatever was called; each thread has a buffer of its own.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int failures; // NORACE

static void check(jmp_buf *back, int number)
{
    if (number > 1)
        longjmp(*back, number);
}

static int twice(jmp_buf *back, int number)
{
    check(back, number);
    return 2 * number;
}

static int compute(jmp_buf *back, int number)
{
    return twice(back, number) + twice(back, number + 1);
}

static void *worker(void *number)
{
    jmp_buf back;
    int code = setjmp(back);
    if (code == 0) {
        int result = compute(&back, *(int *)number);
        assert(result == 2);
    } else {
        assert(code == *(int *)number || code == *(int *)number + 1);
        pthread_mutex_lock(&lock);
        failures++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    pthread_create(&threads[0], NULL, worker, &numbers[0]);
    pthread_create(&threads[1], NULL, worker, &numbers[1]);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(failures == 1);
    return 0;
}
