// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Written before it is read.
#include <assert.h>
#include <stdlib.h>
int x;

int main(void)
{
    int **p = malloc(sizeof *p);
    *p = &x;
    **p = 1;
    assert(x == 1);
    return 0;
}
