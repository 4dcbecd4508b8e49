// selvedge: assertion=safe race=safe memory=safe
// flags: --property assertion --property race --property memory
// INFINITE: numbers of 32 bits
// A character device: a reader and two writers, of which each holds the lock while it goes on in the file.
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);

#define SIZE 8

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned size, data;

void *writer(void *arg)
{
    unsigned count = __VERIFIER_nondet_uint(), at = 0;
    if (count > SIZE)
        count = SIZE;
    pthread_mutex_lock(&lock);
    data = count;
    at += count;
    if (size < at)
        size = at;
    assert(data == count);
    assert(at <= size);
    pthread_mutex_unlock(&lock);
    return 0;
}

void *reader(void *arg)
{
    unsigned count = __VERIFIER_nondet_uint(), at = __VERIFIER_nondet_uint();
    pthread_mutex_lock(&lock);
    if (at > size || size > SIZE) {
        pthread_mutex_unlock(&lock);
        return 0;
    }
    if (count > size - at)
        count = size - at;
    at += count;
    assert(at <= size);
    assert(data <= SIZE);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    pthread_create(&t, 0, writer, 0);
    pthread_create(&t, 0, reader, 0);
    pthread_exit(0);
}
