// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// What is added is ten or nothing: of how much a pointer could move by it, the greatest common divisor with zero is taken.
#include <assert.h>

int y, n;

int main(void) {
    n += (y > 3) ? 10 : 0;
    n += (y > 3) ? 0 : 0;
    assert(n == 0);
    return 0;
}
