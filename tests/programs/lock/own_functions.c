// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// The program's own function under a library's name is what the program says: here, no lock at all.
#include <pthread.h>

static int x, calls;
static int value;

static int sem_wait(int *value)
{
    __atomic_fetch_add(&calls, 1, __ATOMIC_SEQ_CST);
    return *value;
}

static void *worker(void *unused)
{
    sem_wait(&value);
    x++; // RACE! x
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
