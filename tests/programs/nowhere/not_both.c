// A pointer from nowhere points to one object only.
#include <assert.h>
void *__VERIFIER_nondet_pointer(void);
int x, y;

int main(void)
{
    int *p = __VERIFIER_nondet_pointer();
    if (p == &x) {
        *p = 1;
        assert(p != &y && y == 0);
    }
    return 0;
}
