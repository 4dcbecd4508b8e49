// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
#include <pthread.h>

static int array[3];

static void *fill(void *from)
{
    int *half = from;
    for (int i = 0; i < 2; i++)
        half[i] = 1; // RACE! array
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, fill, &array[0]);
    pthread_create(&t2, NULL, fill, &array[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
