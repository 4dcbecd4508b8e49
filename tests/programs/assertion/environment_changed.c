// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *a = getenv("HOME");
    unsetenv("HOME");
    char *b = getenv("HOME");
    assert((a == NULL) == (b == NULL)); // FAIL!
    return 0;
}
