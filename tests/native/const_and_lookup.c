// Constant lookup tables, two-level tables, and string switch by hashing.
// Roman numerals, days of the week, morse code.
#include <stdio.h>
#include <string.h>
static const struct { int v; char s[3]; } roman[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}};
static char *to_roman(int n, char *out) {
    char *p = out;
    *p = 0;
    for (unsigned i = 0; i < sizeof roman / sizeof *roman; i++)
        while (n >= roman[i].v) { strcpy(p, roman[i].s); p += strlen(p); n -= roman[i].v; }
    return out;
}
static int weekday(int y, int m, int d) {
    static const unsigned char shift[12] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
    y -= m < 3;
    return (y + y / 4 - y / 100 + y / 400 + shift[m - 1] + d) % 7;
}
static const char *const days[7] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
static const char morse[][5] = {".-", "-...", "-.-.", "-..", ".", "..-."};
int main(void) {
    char buf[20];
    int n[] = {1, 4, 9, 14, 90, 400, 1994, 2024};
    for (int i = 0; i < 8; i++) printf("%s ", to_roman(n[i], buf));
    putchar('\n');
    printf("%s %s %s\n", days[weekday(2000, 1, 1)], days[weekday(1969, 7, 20)], days[weekday(2024, 2, 29)]);
    for (const char *p = "face"; *p; p++) printf("%s/", morse[*p - 'a']);
    putchar('\n');
    printf("%zu %zu\n", sizeof morse, sizeof roman);
    return 0;
}
