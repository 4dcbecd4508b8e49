#include <assert.h>
#include <pthread.h>

int shared;

void *work(void *unused) {
    int a = 1;
    int b = a + 1;
    int c = b + a;
    int d = c + b;
    shared = d;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(shared == 0);
    return 0;
}
