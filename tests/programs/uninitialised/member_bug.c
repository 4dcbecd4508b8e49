// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// It is not zero because another member was written.
#include <assert.h>

struct pair {
    char a, b;
};

int main(void)
{
    struct pair s, *p = &s;
    p->a = 1;
    assert(p->b == 0); // FAIL!
    return 0;
}
