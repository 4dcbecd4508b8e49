// The exit status is the low eight bits of main's return value.
// 0x1234567 & 0xff is 0x67.
#include <stdio.h>
int main(void) {
    long big = 0x1234567;
    printf("%ld\n", big);
    return big;
}
