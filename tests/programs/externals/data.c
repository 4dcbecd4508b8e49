// selvedge: assertion=unknown race=safe deadlock=safe memory=safe
// Variables that nobody defines: any numbers, of which nobody knows which, and addresses that are good for nothing else.
#include <assert.h>

struct window;

extern int level;
extern struct window *screen;
extern char _etext[];

int main(void)
{
    assert(screen != 0);
    assert((void *)screen != (void *)_etext);
    assert(level != 5); // UNKNOWN! would be violated if `level` held something else than it should
    return 0;
}
