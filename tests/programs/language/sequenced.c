// selvedge: assertion=safe memory=safe
// Expressions that write and read one variable in an order that C fixes, or write different ones.
#include <assert.h>

int a[4] = {1, 2, 3, 4};

static int twice(int n) {
    return 2 * n;
}

static void copy(int *to, int *from, int n) {
    while (n--)
        *to++ = *from++;
}

int main(void) {
    int i = 0, j = 1;
    i = i + 1;
    i = (i = 5, i + 1);
    assert(i == 6);
    i = (i++, i);
    assert(i == 7);
    i = twice(i++);
    assert(i == 14);
    i = j++ + i;
    assert(i == 15 && j == 2);
    j = i++ > 4 ? i : 0;
    assert(j == 16);
    j = i++ && i == 17;
    assert(j == 1);
    int b[4];
    copy(b, a, 4);
    assert(b[3] == 4);
    i = 0;
    a[i] = a[i + 1]++;
    assert(a[0] == 2 && a[1] == 3);
    return 0;
}
