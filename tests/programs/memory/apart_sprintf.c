// The string lies in the same array, behind all that is written.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char text[12] = "0123456";
    int length = snprintf(text, 4, "%s%d", text + 4, 7);
    assert(length == 4 && text[2] == '6' && text[3] == 0 && text[4] == '4');
    return 0;
}
