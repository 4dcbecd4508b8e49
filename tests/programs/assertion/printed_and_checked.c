// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// Numbers that are printed, and that decide something in ways that are not seen at once.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int kept, *place = &kept;
static int limits[2];

static int passed_on(int value)
{
    return value;
}

int main(void)
{
    int a = rand(), b = rand(), c = rand(), d = rand();
    printf("%d %d %d %d\n", a, b, c, d);
    *place = a;
    assert(kept != 5); // FAIL!
    assert(passed_on(b) != 5); // FAIL!
    limits[0] = c;
    assert(limits[0] != 5); // FAIL!
    int small = d < 3;
    assert(!small); // FAIL!
    return 0;
}
