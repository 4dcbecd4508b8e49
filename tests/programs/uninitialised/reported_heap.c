// selvedge: memory=unsafe
// flags: --property memory --uninitialised
#include <stdlib.h>

int main(void)
{
    int *numbers = malloc(2 * sizeof *numbers);
    numbers[0] = 1;
    int sum = numbers[0];
    sum += numbers[1]; // MEMORY! reads memory that has not been initialised
    free(numbers);
    return sum == 0;
}
