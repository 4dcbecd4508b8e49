// selvedge: assertion=safe race=safe? deadlock=safe? memory=safe?
// What is never called does no harm; but what is taken for granted of it goes for the whole program.
#include <pthread.h>

extern int mystery(int);
static const int enabled;
static int x;

static void *worker(void *unused)
{
    if (enabled)
        x = mystery(1);
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
