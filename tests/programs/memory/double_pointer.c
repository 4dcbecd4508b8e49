// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static int cells[2];
static int *rows[2] = {&cells[0], &cells[1]};

static void *worker(void *row)
{
    **(int **)row = 5; // NORACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, &rows[0]);
    pthread_create(&t2, NULL, worker, &rows[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(cells[0] == 5 && cells[1] == 5);
    return 0;
}
