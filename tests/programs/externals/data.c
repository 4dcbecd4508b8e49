// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// Variables that nobody defines: any numbers, and addresses that are good for nothing else.
#include <assert.h>

struct window;

extern int level;
extern struct window *screen;
extern char _etext[];

int main(void)
{
    assert(screen != 0);
    assert((void *)screen != (void *)_etext);
    assert(level != 5); // FAIL!
    return 0;
}
