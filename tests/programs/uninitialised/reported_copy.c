// selvedge: memory=unsafe
// flags: --property memory --uninitialised
// Copying is no reading, neither of members nor of padding; the copy is as uninitialised as the original.
#include <string.h>

struct pair {
    char left;
    long right;
};

int main(void)
{
    struct pair a, b, c;
    a.left = 1;
    b = a;
    memcpy(&c, &b, sizeof c);
    long sum = c.left;
    sum += c.right; // MEMORY! reads memory that has not been initialised
    return sum == 0;
}
