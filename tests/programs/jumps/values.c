// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Where a call of setjmp may stand, and what it returns.
#include <assert.h>
#include <setjmp.h>

static jmp_buf back;

static void jump(int value)
{
    longjmp(back, value);
}

int main(void)
{
    volatile int times = 0;
    int value;
    if (setjmp(back) < 3)
        jump(++times);
    assert(times == 3);
    if (!setjmp(back))
        jump(0);
    switch (setjmp(back)) {
    case 0:
        jump(7);
    case 7:
        times = 70;
        break;
    default:
        assert(0);
    }
    assert(times == 70);
    value = setjmp(back);
    if (value == 0)
        jump(0); // comes back as 1
    assert(value == 1);
    while ((value = setjmp(back)) != 5)
        jump(value + 1);
    assert(value == 5);
    (void)setjmp(back);
    if (--times > 66)
        jump(1);
    assert(times == 66);
    return 0;
}
