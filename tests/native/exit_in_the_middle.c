// exit called from a nested function; statements after it do not run.
// The status is computed at the point of the call.
#include <stdio.h>
#include <stdlib.h>
static int search(const int *a, int n, int v) {
    for (int i = 0; i < n; i++) {
        printf("%d\n", a[i]);
        if (a[i] == v) exit(i + 40);
    }
    return -1;
}
int main(void) {
    int a[] = {4, 8, 15, 16, 23, 42};
    search(a, 6, 16);
    printf("not printed\n");
    return 0;
}
