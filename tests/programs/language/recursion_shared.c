// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
#include <pthread.h>

static int visits;

static void visit(int depth)
{
    visits++; // RACE! visits
    if (depth > 0)
        visit(depth - 1);
}

static void *worker(void *unused)
{
    visit(1);
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
