// selvedge: race=safe
// flags: --property race
// INFINITE: loops without bound, as many threads as the program is told
// As many threads as are wanted, in an array from the heap; one loop joins all that the other has started.
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
int table[16], total;

void *reader(void *argument) {
    int sum = 0;
    while (__VERIFIER_nondet_int())
        sum += table[3] + total;
    return sum ? argument : 0;
}

int main(int argc, char **argv) {
    int wanted = __VERIFIER_nondet_int();
    if (wanted < 1 || wanted > 1000)
        return 1;
    pthread_t *threads = malloc(wanted * sizeof *threads);
    total = 1;
    for (int i = 0; i < wanted; i++)
        pthread_create(&threads[i], 0, reader, 0);
    for (int i = 0; i < wanted; i++)
        pthread_join(threads[i], 0);
    total = 2; // NORACE
    table[3] = total; // NORACE
    free(threads);
    return 0;
}
