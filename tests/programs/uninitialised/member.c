// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A member of a struct beside one that was written.
#include <assert.h>

struct pair {
    char a, b;
};

int main(void)
{
    struct pair s, *p = &s;
    p->a = 1;
    char b = p->b;
    assert(p->a == 1 && p->b == b);
    return 0;
}
