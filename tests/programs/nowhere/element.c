// A pointer from nowhere that is an element of an array has its distance from the others.
#include <assert.h>
void *__VERIFIER_nondet_pointer(void);
int a[3];

int main(void)
{
    int *p = __VERIFIER_nondet_pointer();
    if (p == &a[2])
        assert(p - a == 2 && p > a);
    return 0;
}
