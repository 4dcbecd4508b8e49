// Each thread is given an element of its own by the loop that starts it.
#include <pthread.h>

#define THREADS 2

struct part {
    int first, sum;
} parts[THREADS];

void *add(void *argument)
{
    struct part *part = argument;
    part->sum += part->first;  // NORACE
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    int sum = 0;
    for (int i = 0; i < THREADS; i++) {
        parts[i].first = i;  // NORACE
        pthread_create(&threads[i], 0, add, &parts[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], 0);
        sum += parts[i].sum;
    }
    return 0;
}
