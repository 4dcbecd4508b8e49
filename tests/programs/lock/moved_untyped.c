// selvedge: deadlock=unknown
// The pointers do not show that a lock is copied.
#include <pthread.h>
#include <string.h>

struct account {
    int balance;
    pthread_mutex_t lock;
};

static struct account a, b;

static void duplicate(void *to, const void *from, unsigned long size)
{
    memcpy(to, from, size); // UNKNOWN! a lock that is in use
}

int main(void)
{
    pthread_mutex_lock(&a.lock);
    duplicate(&b, &a, sizeof a);
    pthread_mutex_lock(&b.lock);
    return 0;
}
