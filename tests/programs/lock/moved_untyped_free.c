// The pointers do not show that a lock is copied, but nobody holds it.
#include <pthread.h>
#include <string.h>

struct account {
    int balance;
    pthread_mutex_t lock;
};

static struct account a, b;

static void duplicate(void *to, const void *from, unsigned long size)
{
    memcpy(to, from, size);
}

static void *worker(void *unused)
{
    pthread_mutex_lock(&b.lock);
    b.balance++; // NORACE
    pthread_mutex_unlock(&b.lock);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_mutex_lock(&a.lock);
    a.balance = 1;
    pthread_mutex_unlock(&a.lock);
    duplicate(&b, &a, sizeof a);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
