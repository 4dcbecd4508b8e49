// assert with conditions that hold, with side-effect free and compound expressions.
// The checks follow loop invariants of a partition.
#include <assert.h>
#include <stdio.h>
static int partition(int *a, int n) {
    int p = a[n - 1], i = 0;
    for (int j = 0; j < n - 1; j++) {
        for (int k = 0; k < i; k++) assert(a[k] < p);
        for (int k = i; k < j; k++) assert(a[k] >= p);
        if (a[j] < p) { int t = a[i]; a[i] = a[j]; a[j] = t; i++; }
    }
    a[n - 1] = a[i];
    a[i] = p;
    return i;
}
int main(void) {
    int a[] = {9, 3, 7, 1, 8, 2, 5};
    int m = partition(a, 7);
    assert(m >= 0 && m < 7 && a[m] == 5);
    static_assert(sizeof a == 28, "seven ints");
    assert("a string is true");
    assert(&a[m] != 0);
    for (int i = 0; i < 7; i++) printf("%d ", a[i]);
    printf("%d\n", m);
    return 0;
}
