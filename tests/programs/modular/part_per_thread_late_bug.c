// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// The loop fills in the element when its thread is there already.
#include <pthread.h>

#define THREADS 2

struct part {
    int first, sum;
} parts[THREADS];

void *add(void *argument)
{
    struct part *part = argument;
    part->sum += part->first;  // RACE! parts
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    int sum = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], 0, add, &parts[i]);
        parts[i].first = i;  // RACE! parts
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], 0);
        sum += parts[i].sum;
    }
    return 0;
}
