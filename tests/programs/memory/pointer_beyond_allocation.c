// selvedge: memory=unsafe
// The argument says how far.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    char *text = malloc(8);
    int length = __VERIFIER_nondet_int();
    if (length < 0 || length > 10)
        return 0;
    char *end = &text[length]; // MEMORY! moves a pointer out of the object
    end -= length;
    free(end);
    return 0;
}
