// selvedge: assertion=safe memory=safe
// `%n`, and memory that fits what is printed.
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int before = 0;
    printf("ab%d%n\n", 123, &before);
    assert(before == 5);
    char *text;
    assert(asprintf(&text, "%s=%d", "x", 42) == 4);
    assert(strcmp(text, "x=42") == 0);
    free(text);
    return 0;
}
