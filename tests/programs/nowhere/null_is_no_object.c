// A pointer from nowhere that is null points to nothing.
#include <assert.h>
void *__VERIFIER_nondet_pointer(void);
int x;

int main(void)
{
    int *p = __VERIFIER_nondet_pointer();
    if (!p)
        assert(p != &x);
    return 0;
}
