// Chained assignment converts at each step; assignment is an rvalue of the left type.
// Swaps through xor, temporaries and arithmetic.
#include <stdio.h>
int main(void) {
    int i;
    unsigned char uc;
    long l;
    float f;
    l = i = uc = 300;
    printf("%ld %d %d\n", l, i, uc);
    i = f = l = 16777217;
    printf("%d %.1f %ld\n", i, f, l);
    int a = 12, b = 35;
    a ^= b;
    b ^= a;
    a ^= b;
    printf("%d %d\n", a, b);
    a = a + b;
    b = a - b;
    a = a - b;
    printf("%d %d\n", a, b);
    int x = 10;
    x -= 3, x += x, x *= 2;
    printf("%d\n", x);
    int arr[3] = {1, 2, 3}, n = 0;
    arr[n] = arr[n + 1] = arr[n + 2] = 7;
    printf("%d %d %d\n", arr[0], arr[1], arr[2]);
    _Bool t = (i = 5) == 5;
    printf("%d %zu\n", t, sizeof(uc = 5));
    int *p, *q;
    p = q = &arr[1];
    *p = *q + 1;
    printf("%d\n", *q);
    return (uc = 257);
}
