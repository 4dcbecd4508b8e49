// Strings that lie side by side in one array do not overlap.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[24] = "hello";
    strcpy(text + 6, text);
    strcat(text, "");
    strncpy(text + 12, text + 6, 6);
    snprintf(text + 18, 6, "%s", text + 12);
    assert(strcmp(text + 18, "hello") == 0);
    return 0;
}
