// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Memory of any size up to four megabytes.
#include <assert.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), i = __VERIFIER_nondet_uint();
    if (n < 1 || n > 1 << 20)
        return 0;
    int *p = malloc(n * sizeof *p);
    int row[n];
    if (i < n) {
        p[i] = 3;
        p[n - 1] = 4;
        row[i] = 5;
        assert(p[i] == 3 || (i == n - 1 && p[i] == 4));
        assert(row[i] == 5);
    }
    free(p);
    return 0;
}
