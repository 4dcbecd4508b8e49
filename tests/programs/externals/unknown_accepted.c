// flags: --assume-externals
// A function that nobody knows, of which the user says that it touches only what it is given.
#include <pthread.h>

struct item {
    int count;
    char *name;
};

int frob(struct item *item, int how);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct item item;

void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    frob(&item, 3);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
