// selvedge: overflow=unsafe
// flags: --property overflow
#include <limits.h>

int half(int x, int by) {
    return x / by; // OVERFLOW! overflows a signed integer
}

int main(void) {
    return half(INT_MIN, 2) + half(INT_MIN, -1);
}
