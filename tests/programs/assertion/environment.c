// As long as nobody changes the environment it stays what it is.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *a = getenv("HOME"), *b = getenv("HOME");
    assert((a == NULL) == (b == NULL));
    return 0;
}
