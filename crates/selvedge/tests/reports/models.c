#include <assert.h>
#include <stdio.h>
#include <string.h>

char line[8];

int main(void) {
    if (fgets(line, sizeof line, stdin))
        assert(strlen(line) < 3);
    return 0;
}
