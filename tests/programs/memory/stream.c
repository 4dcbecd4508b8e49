#include <stdio.h>

int main(void)
{
    FILE *file = fopen("x", "w");
    if (!file) {
        fprintf(stderr, "no file\n");
        return 1;
    }
    fprintf(file, "%d\n", 5);
    if (!ferror(file))
        fputs("good", file);
    fflush(NULL);
    fclose(file);
    fclose(stdout);
    return 0;
}
