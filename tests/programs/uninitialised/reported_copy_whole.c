// selvedge: memory=safe
// flags: --property memory --uninitialised
#include <string.h>

struct pair {
    char left;
    long right;
};

static struct pair same(struct pair pair)
{
    return pair;
}

int main(void)
{
    struct pair a, b, c;
    a.left = 1;
    b = same(a);
    memcpy(&c, &b, sizeof c);
    c.right = 2;
    return c.left + c.right == 0;
}
