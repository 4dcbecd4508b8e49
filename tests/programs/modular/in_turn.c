// selvedge: assertion=safe
// flags: --property assertion --timeout 60
// INFINITE: any number of threads, numbers of 32 bits
// Two take turns, and only the first one looks at a bound.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int turn, first, second;

void *leader(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        if (turn == 0 && first < 1000) {
            first += 2;
            turn = 1;
        }
        pthread_mutex_unlock(&m);
    }
}

void *follower(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        if (turn == 1) {
            second += 2;
            turn = 0;
        }
        assert(second <= 1001);
        pthread_mutex_unlock(&m);
    }
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, leader, 0);
        pthread_create(&t, 0, follower, 0);
    }
}
