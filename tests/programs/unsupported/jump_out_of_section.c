// selvedge: assertion=unknown race=unknown deadlock=unknown memory=unknown
// A jump would leave an atomic section open.
#include <setjmp.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static jmp_buf start;
static int moved;

static void move(int by)
{
    if (by == 0)
        longjmp(start, 1);
    moved += by;
}

int main(void)
{
    if (setjmp(start))
        return 1;
    __VERIFIER_atomic_begin();
    move(1);
    move(moved - 1); // UNKNOWN! a jump out of an atomic section
    __VERIFIER_atomic_end();
    return 0;
}
