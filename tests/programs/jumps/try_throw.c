// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Exceptions by macros: every thread has a stack of buffers, in the functions that try something.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

struct attempt {
    jmp_buf back;
    struct attempt *outer;
    volatile int code;
};

static _Thread_local struct attempt *innermost;

#define TRY(name)                                                                                                      \
    struct attempt name;                                                                                               \
    name.outer = innermost;                                                                                            \
    name.code = 0;                                                                                                     \
    innermost = &name;                                                                                                 \
    if (setjmp(name.back) == 0)
#define CATCH(name)                                                                                                    \
    innermost = name.outer;                                                                                            \
    if (name.code != 0)

static void throw(int code)
{
    innermost->code = code;
    longjmp(innermost->back, 1);
}

static int handled;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void inner(int number)
{
    TRY(attempt)
    {
        if (number > 0)
            throw(number);
    }
    CATCH(attempt)
    {
        if (attempt.code == 2)
            throw(attempt.code + 1);
    }
}

static void *worker(void *number)
{
    TRY(attempt)
    {
        inner(0);
        inner(1);
        inner(*(int *)number);
        assert(*(int *)number != 2);
    }
    CATCH(attempt)
    {
        assert(attempt.code == 3);
        pthread_mutex_lock(&lock);
        handled++;
        pthread_mutex_unlock(&lock);
    }
    assert(innermost == NULL);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int numbers[2] = {1, 2};
    pthread_create(&threads[0], NULL, worker, &numbers[0]);
    pthread_create(&threads[1], NULL, worker, &numbers[1]);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(handled == 1);
    return 0;
}
