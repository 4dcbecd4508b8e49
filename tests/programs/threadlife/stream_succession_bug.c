// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// Every thread starts the next one before it is done.
#include <pthread.h>

static int on;

static void *toggle(void *unused)
{
    pthread_t next;
    pthread_create(&next, NULL, toggle, NULL);
    on = 1; // RACE! on
    return unused;
}

int main(void)
{
    pthread_t first;
    pthread_create(&first, NULL, toggle, NULL);
    pthread_exit(NULL);
}
