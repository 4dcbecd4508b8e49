// selvedge: assertion=safe race=safe memory=safe
// flags: --property assertion --property race --property memory
// Who has joined two threads knows that both have counted.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int counter;

void *worker(void *arg)
{
    counter++;
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&other, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(counter == 2);
}
