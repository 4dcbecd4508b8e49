// A copy of a pointer from nowhere points to the same.
#include <assert.h>
void *__VERIFIER_nondet_pointer(void);
int x;

int main(void)
{
    int *original = __VERIFIER_nondet_pointer();
    int *copy = original;
    if (original == &x)
        assert(copy == &x);
    return 0;
}
