// selvedge: memory=safe
// flags: --property memory --uninitialised
// The library looks at what is there, not at the rest.
#include <string.h>

int main(void)
{
    char text[8];
    strcpy(text, "abc");
    return (int)strlen(text) + text[3];
}
