// selvedge: assertion=safe race=safe memory=safe
// flags: --property assertion --property race --property memory
// A writer keeps readers out, and readers the writer.
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
    data = 3;
    __VERIFIER_atomic_begin();
    writing = 0;
    __VERIFIER_atomic_end();
    return 0;
}

void *reader(void *arg)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(!writing);
    reading++;
    __VERIFIER_atomic_end();
    int seen = data;
    assert(seen == data);
    __VERIFIER_atomic_begin();
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
