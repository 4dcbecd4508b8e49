// Recursion: factorial, Fibonacci, Ackermann (small), towers of Hanoi, gcd, power.
// Depths stay small.
#include <stdio.h>
static unsigned long fact(unsigned n) { return n ? n * fact(n - 1) : 1; }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int ack(int m, int n) { return !m ? n + 1 : !n ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static int moves;
static void hanoi(int n, char a, char b, char c) {
    if (!n) return;
    hanoi(n - 1, a, c, b);
    moves = (moves * 7 + a - b) & 0xffff;
    hanoi(n - 1, c, b, a);
}
static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }
static long power(long b, int e) { if (!e) return 1; long h = power(b, e / 2); return e & 1 ? h * h * b : h * h; }
static void digits(unsigned n, int base) { if (n >= (unsigned)base) digits(n / base, base); putchar("0123456789abcdef"[n % base]); }
static int palindrome(const char *s, int i, int j) { return i >= j || (s[i] == s[j] && palindrome(s, i + 1, j - 1)); }
int main(void) {
    printf("%lu %d %d\n", fact(15), fib(11), ack(2, 3));
    hanoi(6, 'A', 'B', 'C');
    printf("%d %d\n", moves, gcd(1071, 462));
    printf("%ld %ld\n", power(3, 13), power(-2, 31));
    digits(48879, 16);
    putchar(' ');
    digits(10, 2);
    putchar('\n');
    printf("%d %d\n", palindrome("racecar", 0, 6), palindrome("racecat", 0, 6));
    return gcd(84, 36);
}
