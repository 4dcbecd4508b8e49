// selvedge: race=unsafe
// flags: --property race --stop-on-fail
// Without arguments this only prints how to use it; with some there are threads.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

int counter;

void *work(void *unused) {
    counter++; // RACE! counter
    return 0;
}

int main(int argc, char **argv) {
    pthread_t threads[2];
    if (argc < 2) {
        printf("usage: %s THREADS\n", argv[0]);
        return 1;
    }
    int n = argv[1][0];
    for (int i = 0; i < n && i < 2; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < n && i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
