// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A flag that two handlers set, and a thread that works until it is set: flags cost little.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t is_over;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void handler(int number)
{
    is_over = 1;
}

static void *worker(void *unused)
{
    for (int at = 0; at < 2 && !is_over; at++) {
        pthread_mutex_lock(&lock);
        done++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    signal(SIGINT, handler);
    signal(SIGTERM, handler);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(done <= 2);
    return 0;
}
