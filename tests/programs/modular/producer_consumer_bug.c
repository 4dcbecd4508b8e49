// selvedge: race=unsafe
// flags: --property race
// INFINITE: values of 32 bits, loops without end
// The producer hands the turn over before it has written.
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

atomic_int flag;
int data, copy;

void *producer(void *arg)
{
    for (;;) {
        while (flag != 0) {
        }
        flag = 1;
        data = __VERIFIER_nondet_int(); // RACE! data
    }
}

void *consumer(void *arg)
{
    for (;;) {
        while (flag != 1) {
        }
        copy = data; // RACE! data
        flag = 0;
    }
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
