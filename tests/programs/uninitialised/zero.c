// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Static variables and calloc start with zeros.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    static int x;
    int *p = calloc(1, sizeof *p);
    assert(x == 0 && *p == 0);
    return 0;
}
