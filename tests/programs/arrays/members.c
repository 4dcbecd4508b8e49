// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The members of the structs in a large array have nothing to do with each other.
#include <assert.h>

struct item { char kind; long size; int *place; };

unsigned __VERIFIER_nondet_uint(void);
static struct item items[5000];
static int here = 2;

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
    if (i >= 5000 || j >= 5000)
        return 0;
    items[i].kind = 1;
    items[i].size = 77;
    items[i].place = &here;
    assert(*items[i].place == 2 && items[i].size == 77 && items[i].kind == 1);
    assert(items[j].size == 77 || i != j);
    struct item copy = items[j];
    assert(copy.place == &here || copy.place == 0);
    return 0;
}
