// ++ and --, prefix and postfix, on every integer type, _Bool, pointers and floats.
// Both the value of the expression and the object afterwards are printed.
#include <stdio.h>
#define TRY(T, init, fmt)                                                        \
    {                                                                            \
        T v = init;                                                              \
        T a = v++;                                                               \
        printf(fmt " " fmt " ", a, v);                                           \
        a = ++v;                                                                 \
        printf(fmt " " fmt " ", a, v);                                           \
        a = v--;                                                                 \
        printf(fmt " " fmt " ", a, v);                                           \
        v = init;                                                                \
        a = --v;                                                                 \
        printf(fmt " " fmt "\n", a, v);                                          \
    }
int main(void) {
    TRY(char, 127, "%d");
    TRY(signed char, -128, "%d");
    TRY(unsigned char, 255, "%d");
    TRY(unsigned char, 0, "%d");
    TRY(short, 32767, "%d");
    TRY(unsigned short, 0, "%d");
    TRY(int, 2147483647, "%d");
    TRY(unsigned, 0, "%u");
    TRY(long, -1, "%ld");
    TRY(unsigned long, 0, "%lu");
    TRY(_Bool, 0, "%d");
    TRY(_Bool, 1, "%d");
    TRY(double, 0.5, "%.2f");
    TRY(float, -0.5f, "%.2f");
    int arr[5] = {1, 2, 3, 4, 5}, *p = arr;
    printf("%d ", *p++);
    printf("%d ", *++p);
    printf("%d ", (*p)++);
    printf("%d ", ++*p);
    printf("%d ", *p--);
    printf("%d %d\n", *--p, arr[2]);
    return 0;
}
