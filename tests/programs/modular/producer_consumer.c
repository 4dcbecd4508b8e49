// selvedge: race=safe
// flags: --property race
// INFINITE: values of 32 bits, loops without end
// A flag says whose turn it is: no lock, and no race (paper 000, Figure 1).
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
        data = __VERIFIER_nondet_int(); // NORACE
        flag = 1;
    }
}

void *consumer(void *arg)
{
    for (;;) {
        while (flag != 1) {
        }
        copy = data; // NORACE
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
