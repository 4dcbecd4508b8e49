// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
// The copy of a locked spin lock is locked.
#include <pthread.h>

struct cell {
    int value;
    pthread_spinlock_t lock;
};

static struct cell a, b;

int main(void)
{
    pthread_spin_init(&a.lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&a.lock);
    b = a;
    pthread_spin_lock(&b.lock); // DEADLOCK!
    return 0;
}
