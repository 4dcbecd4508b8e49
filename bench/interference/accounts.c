/* N threads, each with K transfers between neighbouring accounts; both are locked, the lower one first.
   BUG: the last thread locks one account only. */
#include "spawn.h"

static int balance[N + 1];
static pthread_mutex_t lock[N + 1];

static void *transfer(void *number)
{
    int from = (int)(long)number, to = from + 1;
    for (int k = 0; k < K; k++) {
        pthread_mutex_lock(&lock[from]);
#ifdef BUG
        if (from != N - 1)
#endif
        pthread_mutex_lock(&lock[to]);
        if (balance[from] > 0) {
            balance[from]--;
            balance[to]++;
        }
#ifdef BUG
        if (from != N - 1)
#endif
        pthread_mutex_unlock(&lock[to]);
        pthread_mutex_unlock(&lock[from]);
    }
    return NULL;
}

/* Looks at the last account under its lock. */
static void *audit(void *unused)
{
    pthread_mutex_lock(&lock[N]);
    assert(balance[N] >= 0);
    pthread_mutex_unlock(&lock[N]);
    return unused;
}

int main(void)
{
    pthread_t auditor;
    for (int i = 0; i <= N; i++) {
        pthread_mutex_init(&lock[i], NULL);
        balance[i] = 1;
    }
    pthread_create(&auditor, NULL, audit, NULL);
    run(transfer);
    pthread_join(auditor, NULL);
    return 0;
}
