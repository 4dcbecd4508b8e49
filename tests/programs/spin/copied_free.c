#include <assert.h>
#include <pthread.h>

struct cell {
    int value[20];
    pthread_spinlock_t lock;
};

static struct cell a, b;

static void *worker(void *unused)
{
    pthread_spin_lock(&b.lock);
    b.value[3]++; // NORACE
    pthread_spin_unlock(&b.lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_spin_lock(&a.lock);
    a.value[3] = 5;
    pthread_spin_unlock(&a.lock);
    b = a;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(b.value[3] == 7);
    return 0;
}
