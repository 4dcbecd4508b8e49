// selvedge: assertion=unknown
// flags: --assume-externals
// What a function that nobody knows leaves in a buffer, of which only the address is given.
#include <assert.h>

int receive(void *buffer, int size);

int numbers[2];

int main(void)
{
    receive(numbers, 8); // UNKNOWN! would be violated if `receive`
    assert(numbers[1] == 1);
    return 0;
}
