// Duff's device: case labels inside a loop body inside the switch.
// Copies of several lengths are checked.
#include <stdio.h>
static void copy(char *to, const char *from, int count) {
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
}
static int weird(int x) {
    int r = 0;
    switch (x) {
        while (r < 20) {
        case 1: r += 3;
            if (r > 100) {
            case 2: r += 5;
            }
            r++;
        }
    default: r += 1000;
    }
    return r;
}
int main(void) {
    const char *src = "the quick brown fox";
    for (int n = 1; n <= 19; n += 3) {
        char buf[24] = {0};
        copy(buf, src, n);
        printf("%d [%s]\n", n, buf);
    }
    printf("%d %d %d\n", weird(1), weird(2), weird(3));
    return 0;
}
