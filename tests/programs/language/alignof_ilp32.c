// flags: -m32
// On i386 a double is aligned to 4 within a struct, which is what _Alignof says; __alignof__ gives what is preferred.
#include <assert.h>

struct pair {
    char c;
    double d;
};

int main(void)
{
    assert(_Alignof(double) == 4 && _Alignof(long long) == 4);
    assert(__alignof__(double) == 8 && __alignof__(long long) == 8);
    assert(sizeof(struct pair) == 12);
    return 0;
}
