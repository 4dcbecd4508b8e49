// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
// The text behind the string reaches the string.
#include <stdio.h>

int main(void)
{
    char text[12] = "0123";
    return sprintf(text, "%.2s,%d", text + 3, 12345) == 0; // MEMORY! copies between areas of memory that overlap
}
