// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Memory from malloc.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(2 * sizeof *p);
    int a = p[1];
    assert(a == p[1]);
    free(p);
    return 0;
}
