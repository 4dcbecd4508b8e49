// printf with %s and %c: width, precision, left adjustment, embedded zero bytes.
// puts, putchar and fputs to stdout also appear in order.
#include <stdio.h>
int main(void) {
    printf("[%s][%10s][%-10s][%.3s][%10.3s][%-10.3s][%.0s]\n", "string", "string", "string", "string", "string", "string", "string");
    printf("[%*s][%-*s][%.*s]\n", 8, "abc", 8, "abc", 2, "abc");
    char raw[3] = {'x', 'y', 'z'};
    printf("[%.3s]\n", raw);
    puts("puts adds a newline");
    putchar('o');
    putchar('k');
    putchar(10);
    fputs("fputs does not", stdout);
    puts("");
    fputc('!', stdout);
    putc('\n', stdout);
    printf("%s%s%s\n", "a", "", "b");
    printf("tab\tquote\"backslash\\percent%%\n");
    printf("%c%c%c%c\n", 72, 'e' + 0, "y"[0], '!' | 0x100);
    fprintf(stdout, "%s-%d\n", "fprintf", 7);
    printf("no newline at the end");
    return 0;
}
