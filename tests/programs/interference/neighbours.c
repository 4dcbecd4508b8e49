// selvedge: race=safe atomicity=unsafe
// flags: --atomic 14-16
// Two cells of an array, one of which is chosen by an index that another thread writes: the pair is one pair only where both are the
// same cell.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int cell[2], which;

static void *writer(void *unused)
{
    int i = which, j;
    (void)unused;
    cell[i & 1] = 1;
    j = which;
    cell[j & 1] = 2;
    return NULL;
}

static void *other(void *unused)
{
    which = 1;
    return cell[1] > 0 ? unused : NULL; // BETWEEN!
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, other, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
