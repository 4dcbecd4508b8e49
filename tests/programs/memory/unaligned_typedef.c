// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A typedef that asks for less alignment may be dereferenced anywhere; a long array is aligned well by the ABI.
#include <assert.h>
#include <pthread.h>

typedef unsigned long anywhere __attribute__((aligned(1)));

static unsigned char buffer[24];

static void *worker(void *unused)
{
    *(anywhere *)(buffer + 3) = 7;
    *(int *)(buffer + 12) = 9;
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    assert(buffer[3] == 7 && buffer[12] == 9);
    return 0;
}
