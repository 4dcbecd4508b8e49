// switch inside loops: break leaves the switch, continue continues the loop.
// A small tokenizer counts what it sees.
#include <stdio.h>
int main(void) {
    const char *s = "a1 b22,c;;333 dd";
    int letters = 0, digits = 0, number = 0, sum = 0, other = 0;
    for (const char *p = s; *p; p++) {
        switch (*p) {
        case '0' ... '9':
            digits++;
            number = number * 10 + *p - '0';
            continue;
        case 'a' ... 'z':
            letters++;
            break;
        case ' ':
        case ',':
            break;
        default:
            other++;
        }
        sum += number;
        number = 0;
    }
    printf("%d %d %d %d %d\n", letters, digits, sum, number, other);
    int i = 0;
    while (1) {
        switch (i++) {
        case 0: continue;
        case 3: goto done;
        case 1: printf("one "); break;
        case 2: printf("two "); continue;
        }
        printf("after ");
    }
done:
    printf("%d\n", i);
    do {
        switch (i) {
        case 4: i = 10; continue;
        case 10: i = 20;
        }
    } while (i < 20);
    printf("%d\n", i);
    return 0;
}
