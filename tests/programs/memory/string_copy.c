// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char names[2][8];

static void *worker(void *slot)
{
    strcpy(slot, "abc"); // NORACE
    strcat(slot, "d"); // NORACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, names[0]);
    pthread_create(&t2, NULL, worker, names[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(strcmp(names[0], "abcd") == 0 && strlen(names[1]) == 4);
    return 0;
}
