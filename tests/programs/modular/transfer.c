// selvedge: assertion=safe race=safe
// flags: --property assertion --property race
// INFINITE: any number of threads, amounts of 32 bits
// Two accounts with a lock each; who moves money holds both.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t left_lock = PTHREAD_MUTEX_INITIALIZER, right_lock = PTHREAD_MUTEX_INITIALIZER;
int left = 1000, right = 1000;

void *mover(void *arg)
{
    for (;;) {
        int x = __VERIFIER_nondet_int();
        pthread_mutex_lock(&left_lock);
        pthread_mutex_lock(&right_lock);
        if (x > 0 && x <= left && right < 1000000 && x < 1000000) {
            left -= x;
            right += x;
        } else if (x < 0 && x > -1000000 && -x <= right && left < 1000000) {
            left += -x;
            right -= -x;
        }
        pthread_mutex_unlock(&right_lock);
        pthread_mutex_unlock(&left_lock);
    }
}

void *observer(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&left_lock);
        assert(left >= 0);
        pthread_mutex_unlock(&left_lock);
    }
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, mover, 0);
        pthread_create(&t, 0, observer, 0);
    }
}
