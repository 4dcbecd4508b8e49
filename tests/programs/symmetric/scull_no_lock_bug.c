// selvedge: assertion=unsafe race=unsafe memory=safe
// flags: --property assertion --property race --property memory
// INFINITE: numbers of 32 bits
// THREADS: 2
// Writers do not take the lock.
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
    data = count; // RACE! data
    at += count;
    if (size < at) // RACE! size
        size = at; // RACE! size
    assert(data == count); // FAIL! RACE! data
    assert(at <= size); // FAIL! RACE! size
    return 0;
}

void *reader(void *arg)
{
    unsigned count = __VERIFIER_nondet_uint(), at = __VERIFIER_nondet_uint();
    pthread_mutex_lock(&lock);
    if (at > size || size > SIZE) { // RACE! size
        pthread_mutex_unlock(&lock);
        return 0;
    }
    if (count > size - at) // RACE! size
        count = size - at; // RACE! size
    at += count;
    assert(at <= size); // FAIL! RACE! size
    assert(data <= SIZE); // RACE! data
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
