// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// What was never written can be anything.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static unsigned char *byte;

static void *reader(void *unused)
{
    assert(*byte != 7); // FAIL!
    return unused;
}

int main(void)
{
    pthread_t t1;
    byte = malloc(1);
    pthread_create(&t1, NULL, reader, NULL);
    pthread_join(t1, NULL);
    return 0;
}
