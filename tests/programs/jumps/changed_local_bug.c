// selvedge: assertion=unsafe
// A local that was changed since setjmp holds anything after the jump; one that was not is what it was.
#include <assert.h>
#include <setjmp.h>

static jmp_buf back;

static void work(int number)
{
    if (number == 3)
        longjmp(back, 1);
}

int main(void)
{
    int done = 0, kept = 1;
    kept++;
    if (setjmp(back) != 0) {
        assert(kept == 2);
        assert(done == 2); // FAIL!
        return 0;
    }
    for (int number = 1; number < 4; number++) {
        work(number);
        done++;
    }
    kept++;
    return 0;
}
