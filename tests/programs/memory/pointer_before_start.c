// selvedge: memory=unsafe
// The loop ends with a pointer to before the start.
#include <stdlib.h>

int main(void) {
    int *numbers = calloc(4, sizeof *numbers);
    int sum = 0;
    for (int *p = numbers + 3; p >= numbers; p--) // MEMORY! moves a pointer out of the object
        sum += *p;
    free(numbers);
    return sum;
}
