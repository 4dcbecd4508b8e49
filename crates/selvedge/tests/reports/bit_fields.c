#include <assert.h>

struct {
    unsigned a : 3;
    unsigned b : 1;
    int c : 4;
} x;

int main(void) {
    x.a = 2;
    x.b = 1;
    x.c = -3;
    assert(x.b == 0);
    return 0;
}
