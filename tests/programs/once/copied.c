// The copy of a control that has run has run.
#include <assert.h>
#include <pthread.h>

struct start {
    pthread_once_t control;
};

static struct start a, b;
static int runs;

static void run(void)
{
    runs++;
}

int main(void)
{
    pthread_once(&a.control, run);
    b = a;
    pthread_once(&b.control, run);
    assert(runs == 1);
    return 0;
}
