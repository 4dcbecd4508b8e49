// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static int answer;

static void *worker(void *unused)
{
    answer = 42; // NORACE
    pthread_exit(&answer);
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, &result);
    assert(result == &answer);
    assert(*(int *)result == 42); // NORACE
    return 0;
}
