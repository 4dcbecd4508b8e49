// Pointers cast to integers and back; alignment seen through the integer.
// Only differences and round trips are printed, never addresses.
#include <stdint.h>
#include <stdio.h>
int main(void) {
    int a[8] = {10, 11, 12, 13, 14, 15, 16, 17};
    uintptr_t base = (uintptr_t)&a[0];
    uintptr_t third = (uintptr_t)&a[3];
    printf("%lu\n", (unsigned long)(third - base));
    int *p = (int *)(base + 5 * sizeof(int));
    printf("%d\n", *p);
    printf("%d\n", (int)(base % sizeof(int)));
    intptr_t s = (intptr_t)(a + 8);
    printf("%ld\n", (long)(s - (intptr_t)base));
    void *v = a;
    printf("%d\n", ((int *)v)[2]);
    char *c = (char *)a + 4;
    printf("%d\n", *(int *)c);
    printf("%d %d\n", (void *)0 == 0, (uintptr_t)(void *)0 == 0);
    long tag = (long)(void *)42;
    printf("%ld\n", tag);
    void *small = (void *)(uintptr_t)7;
    printf("%d\n", (int)(uintptr_t)small);
    unsigned char *uc = (unsigned char *)&a[1];
    printf("%d %d\n", uc[0], uc[1]);
    return p == &a[5];
}
