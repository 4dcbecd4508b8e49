// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <string.h>

int main(void)
{
    char text[10] = "hello";
    strcpy(text + 1, text); // MEMORY! overlap
    return 0;
}
