// Quicksort (in place, Hoare partition), insertion sort and bubble sort on the same data.
// All three results are compared element by element.
#include <stdio.h>
#include <string.h>
static void quick(int *lo, int *hi) {
    if (hi - lo < 2) return;
    int p = lo[(hi - lo) / 2], *i = lo, *j = hi - 1;
    while (i <= j) {
        while (*i < p) i++;
        while (*j > p) j--;
        if (i <= j) { int t = *i; *i++ = *j; *j-- = t; }
    }
    quick(lo, j + 1);
    quick(i, hi);
}
static void insertion(int *a, int n) {
    for (int i = 1; i < n; i++) { int v = a[i], j = i; for (; j > 0 && a[j - 1] > v; j--) a[j] = a[j - 1]; a[j] = v; }
}
static int bubble(int *a, int n) {
    int swaps = 0, again;
    do { again = 0; for (int i = 1; i < n; i++) if (a[i - 1] > a[i]) { int t = a[i]; a[i] = a[i - 1]; a[i - 1] = t; again = 1; swaps++; } } while (again);
    return swaps;
}
int main(void) {
    int a[20], b[20], c[20];
    unsigned seed = 12345;
    for (int i = 0; i < 20; i++) { seed = seed * 1103515245 + 12345; a[i] = (int)(seed >> 16) % 100 - 50; }
    memcpy(b, a, sizeof a);
    memcpy(c, a, sizeof a);
    quick(a, a + 20);
    insertion(b, 20);
    int swaps = bubble(c, 20);
    for (int i = 0; i < 20; i++) printf("%d ", a[i]);
    printf("\n%d %d %d\n", memcmp(a, b, sizeof a), memcmp(b, c, sizeof b), swaps);
    return 0;
}
