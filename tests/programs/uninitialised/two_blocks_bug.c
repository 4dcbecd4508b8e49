// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// Two allocations differ.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *p = malloc(1), *q = malloc(1);
    assert(*p == *q); // FAIL!
    return 0;
}
