// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
// Each thread looks at what the other writes, and takes its branch. If neither sees the other, x and y are both 2.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *foo(void *unused)
{
    int a = y; // RACE! y
    if (a == 0) {
        x = 1; // RACE! x
        a = x;
        x = a + 1; // RACE! x
    } else {
        x = 0; // NORACE: bar has looked at x before it wrote y
    }
    return unused;
}

static void *bar(void *unused)
{
    int b = x; // RACE! x
    if (b == 0) {
        y = 1; // RACE! y
        b = y;
        y = b + 1; // RACE! y
    } else {
        y = 0; // NORACE: foo has looked at y before it wrote x
    }
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, foo, NULL);
    pthread_create(&t2, NULL, bar, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x != y); // FAIL!
    return 0;
}
