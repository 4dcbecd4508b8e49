// selvedge: race=unsafe
// flags: --property race
// INFINITE: any number of threads, loops without end
// The way to the race leads through a loop with a bound, and is closed until another thread has opened it.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int state, count, table[20];

void *binder(void *argument)
{
    for (;;) {
        if (__VERIFIER_nondet_int())
            __atomic_store_n(&state, 1, __ATOMIC_SEQ_CST);
        else
            __atomic_store_n(&state, 0, __ATOMIC_SEQ_CST);
    }
}

void *client(void *argument)
{
    int is_open = 0;
    for (;;) {
        int request = __VERIFIER_nondet_int();
        if (request == 0) {
            if (__atomic_load_n(&state, __ATOMIC_SEQ_CST) == 1)
                is_open = 1;
        } else if (is_open && request == 1) {
            pthread_mutex_lock(&m);
            count++; // RACE! count
            pthread_mutex_unlock(&m);
        } else if (is_open && request == 2) {
            count = 0; // RACE! count
        }
    }
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 20; i++)
        table[i] = i;
    pthread_create(&t, 0, binder, 0);
    for (;;)
        pthread_create(&t, 0, client, 0);
}
