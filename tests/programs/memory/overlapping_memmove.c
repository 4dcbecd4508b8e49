// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char buffer[8] = "abcdef";
static char *from = buffer, *to = buffer + 2;

static void *worker(void *unused)
{
    memmove(to, from, 4);
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    assert(strcmp(buffer, "ababcd") == 0);
    return 0;
}
