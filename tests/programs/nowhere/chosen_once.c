// What a pointer from nowhere turned out to be stays so.
#include <assert.h>
void *__VERIFIER_nondet_pointer(void);
int x;

int main(void)
{
    int *p = __VERIFIER_nondet_pointer();
    int before = p == &x;
    x = 7;
    int after = p == &x;
    assert(before == after);
    return 0;
}
