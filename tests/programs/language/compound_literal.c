// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

struct job {
    int first, second;
};

static void *worker(void *argument)
{
    struct job *job = argument;
    assert(job->first + job->second == 5); // NORACE
    return NULL;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, &(struct job){.second = 3, .first = 2});
    pthread_join(t1, NULL);
    return 0;
}
