// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>

static atomic_int total;

static int sum(int count, ...)
{
    va_list rest;
    int result = 0;
    va_start(rest, count);
    for (int i = 0; i < count; i++)
        result += va_arg(rest, int);
    va_end(rest);
    return result;
}

static void *worker(void *unused)
{
    atomic_fetch_add(&total, sum(2, 3, 4));
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(total == 14);
    return 0;
}
