// Computed goto through a local pointer variable that changes in a loop.
// Alternates between two labels until a counter runs out.
#include <stdio.h>
int main(void) {
    void *next = &&ping;
    int n = 0;
    goto *next;
ping:
    printf("ping ");
    next = &&pong;
    goto check;
pong:
    printf("pong ");
    next = &&ping;
check:
    if (++n < 5) goto *next;
    printf("%d\n", n);
    void *table[2] = {&&zero, &&one};
    goto *table[n & 1];
zero:
    return 10;
one:
    printf("odd\n");
    return 11;
}
