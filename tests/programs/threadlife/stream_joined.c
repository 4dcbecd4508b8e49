// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Threads are started for ever, but there are never more than two at a time, and the states repeat.
#include <assert.h>
#include <pthread.h>

static int on;

static void *toggle(void *unused)
{
    on = !on; // NORACE
    return unused;
}

int main(void)
{
    for (;;) {
        pthread_t thread;
        int before = on;
        pthread_create(&thread, NULL, toggle, NULL);
        pthread_join(thread, NULL);
        assert(on != before);
    }
}
