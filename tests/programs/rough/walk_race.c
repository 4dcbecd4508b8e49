// selvedge: race=unsafe
// `ftw` calls a function for what it finds: without a lock the counts race.
#include <ftw.h>
#include <pthread.h>

static int found;

static int count(const char *name, const struct stat *status, int kind)
{
    (void)name, (void)status;
    if (kind == FTW_F)
        found++; // RACE! found
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
