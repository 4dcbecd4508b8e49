// selvedge: memory=unsafe
// The function that called setjmp has returned when another jumps.
#include <setjmp.h>

static jmp_buf back;

static int prepare(void)
{
    return setjmp(back);
}

int main(void)
{
    if (prepare() == 0)
        longjmp(back, 1); // MEMORY! accesses a local variable whose block or function has ended
    return 0;
}
