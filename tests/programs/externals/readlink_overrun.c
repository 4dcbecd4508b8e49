// selvedge: memory=unsafe
// The buffer is smaller than the function is told.
#include <unistd.h>

int main(void)
{
    char target[8];
    return readlink("/x", target, 16) > 0; // MEMORY! outside of its object
}
