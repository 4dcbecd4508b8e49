// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int total;

static void *worker(void *unused)
{
    int i = 0, odd = 0;
    do {
        for (int j = 0;; j++) {
            if (j == 3)
                break;
            if ((i + j) % 2 == 0)
                continue;
            odd++;
        }
    } while (++i < 2);
    atomic_fetch_add(&total, odd);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(total == 6);
    return 0;
}
