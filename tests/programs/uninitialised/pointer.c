// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// An uninitialised pointer stays what it is, whatever that is.
#include <assert.h>

int main(void)
{
    int *p;
    int **q = &p;
    int *a = *q, *b = *q;
    assert(a == b);
    return 0;
}
