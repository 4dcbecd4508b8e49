// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Structs passed, returned and copied are each thread's own.
#include <assert.h>
#include <pthread.h>

struct point {
    int x, y;
};
static struct point results[2];

static struct point moved(struct point from, int by)
{
    from.x += by;
    from.y -= by;
    return from;
}

static void *worker(void *slot)
{
    struct point start = {1, 2}, end = moved(start, 3);
    assert(start.x == 1);
    *(struct point *)slot = end; // NORACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, &results[0]);
    pthread_create(&t2, NULL, worker, &results[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(results[0].x == 4 && results[1].y == -1);
    return 0;
}
