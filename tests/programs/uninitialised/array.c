// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// An element of an array, read twice.
#include <assert.h>

int main(void)
{
    char a[4];
    int i = 2;
    assert(a[i] == a[2]);
    return 0;
}
