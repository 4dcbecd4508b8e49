// selvedge: assertion=unsafe race=safe
// flags: --volatile-atomic
// Even so, an increment is two accesses.
#include <assert.h>
#include <pthread.h>

static volatile int counter;

void *work(void *unused) {
    counter++;
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(counter == 2); // FAIL!
    return 0;
}
