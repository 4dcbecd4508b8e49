// selvedge: assertion=unsafe race=safe deadlock=safe memory=unsafe
// The second detachment is misuse, which the C library answers with EINVAL: the program goes on with that.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

void *run(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    assert(pthread_detach(t) == 0);
    assert(pthread_detach(t) == EINVAL); // MEMORY! joins or detaches
    assert(0);                           // FAIL!
    return 0;
}
