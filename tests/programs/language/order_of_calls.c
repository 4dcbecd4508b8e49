// selvedge: assertion=safe memory=safe
// Which call comes first is open; that it is the left one is an assumption that the report names.
#include <assert.h>

int g;

static int f(void) {
    g = 1;
    return 0;
}

static int h(void) {
    g = 2;
    return 0;
}

static int sum(int a, int b) {
    return a + b;
}

int main(void) {
    sum(f(), h());
    assert(g == 2);
    return 0;
}
