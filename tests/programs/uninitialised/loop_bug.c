// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// A local comes to life anew in every iteration.
#include <assert.h>

int last;

int main(void)
{
    for (int i = 0; i < 2; i++) {
        char x;
        char *p = &x;
        if (i)
            assert(*p == last); // FAIL!
        last = *p;
    }
    return 0;
}
