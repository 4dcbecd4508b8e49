// selvedge: assertion=safe race=unsafe deadlock=safe memory=unsafe
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *unused)
{
    pthread_rwlock_rdlock(&lock); // RACE! lock, MEMORY! uses a synchronisation object that has been destroyed
    pthread_rwlock_unlock(&lock); // RACE! lock
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    pthread_rwlock_destroy(&lock); // RACE! lock, MEMORY! destroys a synchronisation object that is in use
    pthread_join(thread, NULL);
    return 0;
}
