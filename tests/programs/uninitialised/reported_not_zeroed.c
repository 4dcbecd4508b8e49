// selvedge: memory=safe
// flags: --property memory --uninitialised
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *numbers = calloc(2, sizeof *numbers);
    int more[3];
    memset(more, 1, sizeof more);
    int sum = numbers[0] + numbers[1] + more[2];
    free(numbers);
    return sum == 0;
}
