// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// Memory from malloc is not zero.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(2 * sizeof *p);
    p[0] = 0;
    assert(p[1] == p[0]); // FAIL!
    free(p);
    return 0;
}
