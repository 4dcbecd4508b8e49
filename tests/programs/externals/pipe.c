// Results of the table can be relied on: a status is 0 or -1, and what is written is anything.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int ends[2];
int status;

void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    status = pipe(ends);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&lock);
    assert(status == 0 || status == -1);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
