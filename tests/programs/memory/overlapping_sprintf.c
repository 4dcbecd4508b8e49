// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <stdio.h>

int main(void)
{
    char text[100] = "hello";
    sprintf(text, "%s!", text); // MEMORY! overlap
    return 0;
}
