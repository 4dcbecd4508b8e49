// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
// Destroying a mutex that is held is misuse, which the C library answers with EBUSY; the mutex stays what it is.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&m);
    assert(pthread_mutex_destroy(&m) == EBUSY); // MEMORY! in use
    assert(pthread_mutex_unlock(&m) == 0);
    assert(pthread_mutex_destroy(&m) == 0);
    return 0;
}
