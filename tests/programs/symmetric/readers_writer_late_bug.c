// selvedge: assertion=unsafe race=unsafe memory=safe
// flags: --property assertion --property race --property memory
// THREADS: 2
// Nobody knows of the reader.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);

_Bool writing;
unsigned reading;
int data;

void *writer(void *arg)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(!writing && reading == 0);
    writing = 1;
    __VERIFIER_atomic_end();
    data = 3; // RACE! data
    __VERIFIER_atomic_begin();
    writing = 0;
    __VERIFIER_atomic_end();
    return 0;
}

void *reader(void *arg)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(!writing);
    __VERIFIER_atomic_end();
    int seen = data; // RACE! data
    assert(seen == data); // FAIL! RACE! data
    __VERIFIER_atomic_begin();
    reading++;
    reading--;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    pthread_create(&t, 0, reader, 0);
    pthread_exit(0);
}
