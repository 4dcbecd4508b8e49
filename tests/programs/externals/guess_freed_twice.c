// selvedge: memory=unsafe
// flags: --assume-externals
// What a function gave that nobody knows is freed twice: wherever it is.
#include <stdlib.h>

struct item {
    int count;
};

struct item *find(int key);

int main(void)
{
    struct item *item = find(1);
    if (!item)
        return 0;
    free(item);
    free(item); // MEMORY! frees memory that has been freed already
    return 0;
}
