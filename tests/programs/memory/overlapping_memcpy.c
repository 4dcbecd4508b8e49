// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>
#include <string.h>

static char buffer[8];
static char *from = buffer, *to = buffer + 2;

static void *worker(void *unused)
{
    memcpy(to, from, 4); // MEMORY! copies between areas of memory that overlap
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
