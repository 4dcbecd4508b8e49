// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// What a local without an initialiser holds does not change from one read to the next.
#include <assert.h>

int main(void)
{
    int x;
    int *p = &x;
    int a = *p, b = *p;
    assert(a == b);
    return 0;
}
