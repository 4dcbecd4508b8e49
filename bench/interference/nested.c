/* Two locks, always nested, in N threads, K times each; much is read and written under the inner one.
   BUG: the last thread writes z after it has released the outer lock. */
#include "spawn.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x, y, z;

static void *work(void *number)
{
    for (int k = 0; k < K; k++) {
        pthread_mutex_lock(&a);
        x = y + 1;
        pthread_mutex_lock(&b);
        y = x + k;
        if (y > x)
            x = y;
        pthread_mutex_unlock(&b);
#ifdef BUG
        if ((long)number == N - 1) {
            pthread_mutex_unlock(&a);
            z = x;
            continue;
        }
#endif
        z = z + 1;
        pthread_mutex_unlock(&a);
    }
    return NULL;
}

int main(void)
{
    run(work);
    return 0;
}
