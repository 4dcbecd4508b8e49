// Merge sort with a temporary buffer, bottom up and top down.
// Sorting records shows that it is stable.
#include <stdio.h>
struct rec { short key; char tag; };
static struct rec tmp[16];
static void merge(struct rec *a, int lo, int mid, int hi) {
    int i = lo, j = mid, k = lo;
    while (i < mid && j < hi) tmp[k++] = a[j].key < a[i].key ? a[j++] : a[i++];
    while (i < mid) tmp[k++] = a[i++];
    while (j < hi) tmp[k++] = a[j++];
    for (k = lo; k < hi; k++) a[k] = tmp[k];
}
static void top_down(struct rec *a, int lo, int hi) {
    if (hi - lo < 2) return;
    int mid = lo + (hi - lo) / 2;
    top_down(a, lo, mid);
    top_down(a, mid, hi);
    merge(a, lo, mid, hi);
}
static void bottom_up(struct rec *a, int n) {
    for (int w = 1; w < n; w *= 2)
        for (int lo = 0; lo + w < n; lo += 2 * w) merge(a, lo, lo + w, lo + 2 * w < n ? lo + 2 * w : n);
}
int main(void) {
    struct rec a[11], b[11];
    for (int i = 0; i < 11; i++) b[i] = a[i] = (struct rec){(i * 7 + 3) % 4, 'a' + i};
    top_down(a, 0, 11);
    bottom_up(b, 11);
    for (int i = 0; i < 11; i++) printf("%d%c%c ", a[i].key, a[i].tag, b[i].tag);
    putchar('\n');
    return 0;
}
