// Sieve of Eratosthenes over a byte array, then over a bit set.
// Both must agree on the primes below 200.
#include <stdio.h>
#define N 200
int main(void) {
    char composite[N] = {0};
    unsigned bits[(N + 31) / 32] = {0};
    for (int i = 2; i * i < N; i++)
        if (!composite[i]) for (int j = i * i; j < N; j += i) composite[j] = 1;
    for (int i = 2; i * i < N; i++)
        if (!(bits[i / 32] >> i % 32 & 1)) for (int j = i * i; j < N; j += i) bits[j / 32] |= 1u << j % 32;
    int n = 0, agree = 1;
    for (int i = 2; i < N; i++) {
        if (!composite[i]) { n++; printf("%d ", i); }
        agree &= composite[i] == (bits[i / 32] >> i % 32 & 1);
    }
    printf("\n%d %d\n", n, agree);
    return n;
}
