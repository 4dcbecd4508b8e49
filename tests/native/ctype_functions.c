// isdigit, isalpha, isalnum, isspace, isupper, islower, isxdigit, ispunct, toupper, tolower.
// Results are normalised with !! because only zero or nonzero is promised.
#include <ctype.h>
#include <stdio.h>
int main(void) {
    const char *s = "aZ5 \t_~G\n";
    for (const char *p = s; *p; p++) {
        unsigned char c = *p;
        printf("%d%d%d%d%d%d%d%d%d%d ", !!isdigit(c), !!isalpha(c), !!isalnum(c), !!isspace(c), !!isupper(c), !!islower(c), !!isxdigit(c), !!ispunct(c), !!isprint(c), !!iscntrl(c));
    }
    putchar('\n');
    for (const char *p = "Hello, World 42!"; *p; p++) putchar(toupper((unsigned char)*p));
    putchar('\n');
    for (const char *p = "Hello, World 42!"; *p; p++) putchar(tolower((unsigned char)*p));
    putchar('\n');
    int n = 0;
    for (int c = 0; c < 128; c++) n += !!isalnum(c) + 2 * !!ispunct(c) + 3 * !!isspace(c);
    printf("%d\n", n);
    printf("%c%c\n", toupper('z'), tolower('1'));
    return 0;
}
