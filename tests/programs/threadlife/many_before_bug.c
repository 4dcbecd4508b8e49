// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=unsafe
// Many threads have come and gone before two race; the handle of the first is still there, and joined once more in the end.
#include <assert.h>
#include <pthread.h>

static pthread_t first;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count, go;

static void *worker(void *unused)
{
    return unused;
}

static void *late(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!go)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    count++; // RACE! count
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&first, NULL, worker, NULL);
    pthread_join(first, NULL);
    for (int i = 0; i < 40; i++) {
        pthread_create(&a, NULL, worker, NULL);
        pthread_join(a, NULL);
    }
    pthread_create(&a, NULL, late, NULL);
    pthread_create(&b, NULL, late, NULL);
    pthread_mutex_lock(&lock);
    go = 1;
    pthread_cond_signal(&changed);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 2); // FAIL!
    pthread_join(first, NULL); // MEMORY! joins or detaches what is not a joinable thread
    return 0;
}
