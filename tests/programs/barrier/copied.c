// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
// The copy of a barrier waits for as many threads as the original; nobody else comes to it.
#include <pthread.h>

struct round {
    pthread_barrier_t end;
};

static struct round a, b;

int main(void)
{
    pthread_barrier_init(&a.end, NULL, 1);
    b = a;
    pthread_barrier_wait(&b.end);
    pthread_barrier_init(&a.end, NULL, 2);
    b = a;
    pthread_barrier_wait(&b.end); // DEADLOCK!
    return 0;
}
