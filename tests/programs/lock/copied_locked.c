// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
// On the machine, the copy of a locked mutex is locked.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b;

int main(void)
{
    pthread_mutex_lock(&a);
    b = a;
    pthread_mutex_lock(&b); // DEADLOCK!
    return 0;
}
