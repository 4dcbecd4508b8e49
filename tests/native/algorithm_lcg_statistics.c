// A linear congruential generator with 32-bit wrap-around, mean and variance in integers.
// A histogram is drawn with stars.
#include <stdio.h>
static unsigned seed = 1;
static unsigned next(void) { seed = seed * 1664525u + 1013904223u; return seed >> 24; }
int main(void) {
    int hist[8] = {0};
    long sum = 0, squares = 0;
    for (int i = 0; i < 200; i++) { unsigned v = next(); hist[v / 32]++; sum += v; squares += v * v; }
    long mean = sum / 200, var = squares / 200 - mean * mean;
    printf("%ld %ld\n", mean, var);
    for (int i = 0; i < 8; i++) { printf("%3d-%3d ", i * 32, i * 32 + 31); for (int k = 0; k < hist[i]; k += 2) putchar('*'); putchar('\n'); }
    printf("%u\n", seed);
    return hist[0];
}
