// selvedge: deadlock=unknown
// The lock lies in an array of characters, which an assignment copies.
#include <pthread.h>

struct storage {
    _Alignas(pthread_mutex_t) char bytes[sizeof(pthread_mutex_t)];
    int used;
};

static struct storage a, b;

int main(void)
{
    pthread_mutex_lock((pthread_mutex_t *)a.bytes);
    b = a; // UNKNOWN! a lock that is in use
    pthread_mutex_lock((pthread_mutex_t *)b.bytes);
    return 0;
}
