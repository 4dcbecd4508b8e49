// selvedge: assertion=unknown race=unknown deadlock=unknown memory=unknown
// What a changed local was when an earlier round of the loop called setjmp is not known any more.
#include <setjmp.h>

static jmp_buf buffers[2];

int main(void)
{
    int at = 0;
    for (; at < 2; at++)
        if (setjmp(buffers[at]) != 0) // UNKNOWN! a jump through another buffer than the one that its `setjmp` has filled last
            return at;
    longjmp(buffers[0], 1);
}
