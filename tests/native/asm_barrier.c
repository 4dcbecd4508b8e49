// An empty asm statement as a compiler barrier, and an asm label on a variable.
// Nothing about the values changes.
#include <stdio.h>
static int x asm("renamed_x") = 4;
int main(void) {
    int a = x;
    asm volatile("" ::: "memory");
    x = a + 1;
    __asm__ __volatile__("" : : : "memory");
    printf("%d %d\n", a, x);
    return 0;
}
