// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("x", "r");
    fgetc(file); // MEMORY! null pointer
    fclose(file);
    return 0;
}
