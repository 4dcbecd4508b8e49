// Spin locks.
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t s;
static int shared;

#if CASE == 0
static void *add(void *unused)
{
    pthread_spin_lock(&s);
    shared++;
    pthread_spin_unlock(&s);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    pthread_spin_destroy(&s);
    return shared; // EXPECT[0]: exit 2
}
#elif CASE == 1
int main(void)
{
    pthread_spin_unlock(&s); // EXPECT[1]: undefined UnlockNotHeld
}
#elif CASE == 2
int main(void)
{
    pthread_spin_lock(&s);
    return pthread_spin_trylock(&s); // EXPECT[2]: exit 16
}
#elif CASE == 3
int main(void)
{
    pthread_spin_lock(&s);
    pthread_spin_lock(&s); // EXPECT[3]: deadlock
}
#elif CASE == 4
int main(void)
{
    pthread_spin_lock(&s);
    pthread_spin_destroy(&s); // EXPECT[4]: undefined DestroyInUse
}
#endif
