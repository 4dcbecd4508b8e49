// selvedge: overflow=unsafe
// flags: --property overflow
#include <limits.h>

int absolute(int x) {
    return x < 0 ? -x : x; // OVERFLOW! overflows a signed integer
}

int main(void) {
    return absolute(-3) + absolute(INT_MIN);
}
