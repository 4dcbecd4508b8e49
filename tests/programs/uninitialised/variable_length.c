// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A variable-length array.
#include <assert.h>

int main(void)
{
    int n = 3;
    char a[n];
    char first = a[1];
    assert(first == a[1]);
    return 0;
}
