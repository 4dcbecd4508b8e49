// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
// The copy of a destroyed mutex is as useless as the original; a new one makes it good.
#include <pthread.h>

static pthread_mutex_t a, b, c;

int main(void)
{
    pthread_mutex_destroy(&a);
    b = a;
    c = a;
    b = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_lock(&c); // MEMORY! uses a synchronisation object that has been destroyed
    return 0;
}
