// selvedge: race=unsafe
// The level is looked at once more when its guard is gone.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level;

static pthread_mutex_t *take(pthread_mutex_t *mutex)
{
    pthread_mutex_lock(mutex);
    return mutex;
}

static void give_back(pthread_mutex_t **held)
{
    pthread_mutex_unlock(*held);
}

#define GUARD(mutex) __attribute__((cleanup(give_back))) pthread_mutex_t *guard = take(mutex)

static int raise_level(int by)
{
    {
        GUARD(&lock);
        if (by > 1) return level;
        level += by; // RACE! level
    }
    return level; // RACE! level
}

static void *client(void *unused)
{
    for (int by = 0; by < 3; by++) {
        raise_level(by);
    }
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, client, 0);
    pthread_create(&other, 0, client, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
