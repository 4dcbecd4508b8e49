// selvedge: race=safe
// INFINITE: a folder has any number of files.
// `ftw` calls a function for what it finds, which counts it under a lock.
#include <ftw.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int found;

static int count(const char *name, const struct stat *status, int kind)
{
    (void)name, (void)status;
    pthread_mutex_lock(&lock);
    if (kind == FTW_F)
        found++;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *worker(void *unused)
{
    ftw(".", count, 4);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    ftw("/", count, 4);
    pthread_join(thread, 0);
    return 0;
}
