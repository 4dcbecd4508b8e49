// selvedge: overflow=unsafe assertion=safe memory=safe
// flags: --property overflow --property assertion --property memory
// Two threads push a sum over its type's limit; which of them does is a matter of the schedule.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

int sum = INT_MAX - 1;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    sum += 1; // OVERFLOW! overflows a signed integer
    assert(sum > 0);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
