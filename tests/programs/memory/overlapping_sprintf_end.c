// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
// The final zero falls on the string.
#include <stdio.h>

int main(void)
{
    char text[12] = "012345";
    return sprintf(text, "%s", text + 3) != 3; // MEMORY! copies between areas of memory that overlap
}
