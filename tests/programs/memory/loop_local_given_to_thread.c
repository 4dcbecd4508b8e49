// selvedge: memory=unsafe
// Each round's `i` is gone when the thread may look at it.
#include <pthread.h>

void *work(void *given) {
    return *(int *)given ? given : 0; // MEMORY! accesses a local variable whose block or function has ended
}

int main(void) {
    pthread_t threads[2];
    for (int round = 0; round < 2; round++) {
        int i = round;
        pthread_create(&threads[round], 0, work, &i);
    }
    for (int round = 0; round < 2; round++)
        pthread_join(threads[round], 0);
    return 0;
}
