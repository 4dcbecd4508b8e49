// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("x", "r");
    if (!file)
        return 1;
    fclose(file);
    fclose(file); // MEMORY! freed
    return 0;
}
