// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A volatile local is what it was made before the jump, and so is what the callers of the function have.
#include <assert.h>
#include <setjmp.h>

static jmp_buf back;

static void work(int number)
{
    if (number == 3)
        longjmp(back, 1);
}

static int run(int from)
{
    volatile int done = 0;
    if (setjmp(back) != 0)
        return done;
    for (int number = from; number < 4; number++) {
        work(number);
        done++;
    }
    return 0;
}

int main(void)
{
    int runs = 0;
    while (run(runs) != 0)
        runs++;
    assert(runs == 3);
    return 0;
}
