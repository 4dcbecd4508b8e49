// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// A local comes to life anew in every call.
#include <assert.h>

static char get(void)
{
    char x;
    char *p = &x;
    return *p;
}

int main(void)
{
    char a = get(), b = get();
    assert(a == b); // FAIL!
    return 0;
}
