// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The program brings its own declarations; the functions are known by name, whatever the types are called.
typedef unsigned long my_thread;
typedef struct {
    int a, b;
} my_lock;
extern int pthread_create(my_thread *, const void *, void *(*)(void *), void *);
extern int pthread_join(my_thread, void **);
extern int pthread_mutex_lock(my_lock *);
extern int pthread_mutex_unlock(my_lock *);
extern void reach_error(void);
static my_lock lock;
static int x;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    x++; // NORACE
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    my_thread t1, t2;
    pthread_create(&t1, 0, worker, 0);
    pthread_create(&t2, 0, worker, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    if (x != 2)
        reach_error();
    return 0;
}
