// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
// What can be anything cannot be freed.
#include <stdlib.h>
void *__VERIFIER_nondet_pointer(void);

int main(void)
{
    free(__VERIFIER_nondet_pointer()); // MEMORY!
    return 0;
}
