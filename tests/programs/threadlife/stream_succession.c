// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Every thread starts the next one and ends.
#include <pthread.h>

static int on;

static void *toggle(void *unused)
{
    pthread_t next;
    on = !on; // NORACE
    pthread_create(&next, NULL, toggle, NULL);
    return unused;
}

int main(void)
{
    pthread_t first;
    pthread_create(&first, NULL, toggle, NULL);
    pthread_exit(NULL);
}
