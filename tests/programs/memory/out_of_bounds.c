// selvedge: assertion=safe race=unsafe deadlock=safe memory=unsafe
// The index changes between the test and the use.
#include <pthread.h>

static int array[2];
static int index_shared;

static void *user(void *unused)
{
    if (index_shared < 2) // RACE! index_shared
        array[index_shared] = 1; // RACE! index_shared MEMORY! accesses memory outside of its object
    return unused;
}

static void *changer(void *unused)
{
    index_shared = 2; // RACE! index_shared
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, user, NULL);
    pthread_create(&t2, NULL, changer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
