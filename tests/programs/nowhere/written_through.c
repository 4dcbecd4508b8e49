// What is written through a pointer from nowhere is there afterwards.
#include <assert.h>
void *__VERIFIER_nondet_pointer(void);
int x;

int main(void)
{
    int *p = __VERIFIER_nondet_pointer();
    if (p == &x) {
        x = 3;
        *p = *p + 1;
        assert(x == 4);
    }
    return 0;
}
