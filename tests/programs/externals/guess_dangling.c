// selvedge: memory=unsafe
// flags: --assume-externals
// What has been freed may be given to nobody.
#include <stdlib.h>

void frob(int *count);

int main(void)
{
    int *count = malloc(sizeof *count);
    *count = 1;
    free(count);
    frob(count); // MEMORY! accesses memory that has been freed
    return 0;
}
