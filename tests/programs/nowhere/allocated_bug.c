// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// The address of what was allocated before.
#include <stdlib.h>
void *__VERIFIER_nondet_pointer(void);
void reach_error(void);

int main(void)
{
    char *q = malloc(1);
    char *p = __VERIFIER_nondet_pointer();
    if (p == q)
        reach_error(); // FAIL!
    return 0;
}
