// Memoised recursion and dynamic programming: Fibonacci, binomials, longest common subsequence.
// Tables are static, local and passed by pointer.
#include <stdio.h>
#include <string.h>
static unsigned long memo[91];
static unsigned long fib(int n) { return n < 2 ? n : memo[n] ? memo[n] : (memo[n] = fib(n - 1) + fib(n - 2)); }
static int choose(int n, int k) {
    int row[20] = {1};
    for (int i = 1; i <= n; i++) for (int j = i; j > 0; j--) row[j] += row[j - 1];
    return row[k];
}
static int lcs(const char *a, const char *b, char *out) {
    unsigned char t[12][12] = {{0}};
    int n = strlen(a), m = strlen(b);
    for (int i = 1; i <= n; i++) for (int j = 1; j <= m; j++)
        t[i][j] = a[i - 1] == b[j - 1] ? t[i - 1][j - 1] + 1 : t[i - 1][j] > t[i][j - 1] ? t[i - 1][j] : t[i][j - 1];
    int k = t[n][m], i = n, j = m;
    out[k] = 0;
    while (i && j) {
        if (a[i - 1] == b[j - 1]) { out[--k] = a[--i]; j--; }
        else if (t[i - 1][j] >= t[i][j - 1]) i--;
        else j--;
    }
    return t[n][m];
}
int main(void) {
    printf("%lu %lu\n", fib(50), fib(90));
    printf("%d %d\n", choose(10, 3), choose(18, 9));
    char out[12];
    int k = lcs("AGGTABCX", "GXTXAYBX", out);
    printf("%d %s\n", k, out);
    return k;
}
