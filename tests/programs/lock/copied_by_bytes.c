// selvedge: deadlock=unknown
#include <pthread.h>
#include <string.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b;

int main(void)
{
    pthread_mutex_lock(&a);
    memcpy(&b, &a, sizeof a); // UNKNOWN! a lock that is in use
    pthread_mutex_lock(&b);
    return 0;
}
