// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// What a local has done at the end of its scope is not done by a jump.
#include <assert.h>
#include <setjmp.h>

static jmp_buf back;
static int open;

static void leave(int *unused)
{
    (void)unused;
    open--;
}

static void work(int is_bad)
{
    __attribute__((cleanup(leave))) int entered = ++open;
    if (is_bad)
        longjmp(back, entered);
}

int main(void)
{
    if (setjmp(back) == 0) {
        work(0);
        assert(open == 0);
        work(1);
    }
    assert(open == 1);
    return 0;
}
