// VLAs in loops and inner blocks, with break and continue leaving their scope.
// A typedef of variable length and typeof over a VLA.
#include <stdio.h>
int main(void) {
    int total = 0;
    for (int i = 1; i <= 6; i++) {
        if (i == 2) continue;
        unsigned char v[i];
        for (int j = 0; j < i; j++) v[j] = j * j;
        if (i == 5) { total += v[4]; break; }
        total += v[i - 1] + sizeof v;
    }
    printf("%d\n", total);
    int n = 4;
    typedef int row[n];
    n = 10;
    row r;
    printf("%zu %zu\n", sizeof r, sizeof(row));
    typeof(r) s;
    s[3] = 6;
    printf("%d %zu\n", s[3], sizeof s);
    {
        int inner[n];
        inner[n - 1] = 1;
        printf("%zu %d\n", sizeof inner, inner[9]);
    }
    int calls = 0;
    printf("%zu ", sizeof(char[calls++ + 3]));
    printf("%d\n", calls);
    return 0;
}
