// selvedge: memory=unsafe
// Nobody has called setjmp.
#include <setjmp.h>

static jmp_buf back;

int main(void)
{
    longjmp(back, 1); // MEMORY! jumps to no `setjmp` of this thread
}
