// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static int array[4];

static void *fill(void *from)
{
    int *half = from;
    for (int i = 0; i < 2; i++)
        half[i] = 1; // NORACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, fill, &array[0]);
    pthread_create(&t2, NULL, fill, &array[2]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(array[0] + array[1] + array[2] + array[3] == 4);
    return 0;
}
