// selvedge: race=unsafe
// flags: --property race
// INFINITE: loops without bound, as many threads as the program is told
// One thread is left out when they are joined.
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
int table[16], total;

void *reader(void *argument) {
    int sum = 0;
    while (__VERIFIER_nondet_int())
        sum += table[3] + total; // RACE! table RACE! total
    return sum ? argument : 0;
}

int main(int argc, char **argv) {
    int wanted = __VERIFIER_nondet_int();
    if (wanted < 1 || wanted > 3)
        return 1;
    pthread_t *threads = malloc(wanted * sizeof *threads);
    total = 1;
    for (int i = 0; i < wanted; i++)
        pthread_create(&threads[i], 0, reader, 0);
    for (int i = 1; i < wanted; i++)
        pthread_join(threads[i], 0);
    total = 2; // RACE! total
    table[3] = total; // RACE! table
    free(threads);
    return 0;
}
