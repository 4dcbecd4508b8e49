// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// Memory from `malloc` may hold any address.
#include <stdlib.h>
void reach_error(void);
int x;

int main(void)
{
    int **p = malloc(sizeof *p);
    if (*p == &x)
        reach_error(); // FAIL!
    return 0;
}
