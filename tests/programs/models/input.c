// Input and chance are any value within what the library promises.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if CASE == 0
int main(void)
{
    int n = 5;
    char c = 'c';
    int count = scanf("%d %c", &n, &c);
    if (count < -1 || count > 2)
        return 9;
    if (count < 1 && n != 5)
        return 8;
    return count < 2 && c != 'c' ? 7 : 0; // EXPECT[0]: exit 0
}
#elif CASE == 1
int main(void)
{
    return rand() >= 0 && random() >= 0 && getpid() > 0 && drand48() < 1.0 ? 0 : 1; // EXPECT[1]: exit 0
}
#elif CASE == 2
int main(void)
{
    char line[4];
    if (fgets(line, sizeof line, stdin) == 0)
        return 1; // EXPECT[2]: exit 1
    return strlen(line) < 4 ? 0 : 2; // EXPECT[2]: exit 0
}
#elif CASE == 3
int main(void)
{
    char small[1];
    return (int)read(0, small, 2) < -1; // EXPECT[3]: exit 0 | undefined OutOfBounds
}
#elif CASE == 4
int main(void)
{
    char *home = getenv("HOME");
    return home == 0 ? 1 : strlen(home) > 15; // EXPECT[4]: exit 0 | exit 1
}
#elif CASE == 5
int main(void)
{
    time_t stored, now = time(&stored);
    struct timespec spec;
    return clock_gettime(CLOCK_REALTIME, &spec) + usleep(10) + (int)sleep(1) + (stored != now); // EXPECT[5]: exit 0
}
#elif CASE == 6
int main(void)
{
    char word[8];
    scanf("%s", word); // EXPECT[6]: unsupported `%s` without a width in a format of `scanf`
}
#elif CASE == 7
int main(void)
{
    char word[2];
    scanf("%1s", word);
    scanf("%2s", word); // EXPECT[7]: exit 0 | undefined OutOfBounds
    return 0;
}
#elif CASE == 8
int main(void)
{
    int a = 0, b = 0, n = sscanf("12 0x1f", "%d %i", &a, &b);
    return n == 2 && a == 12 && b == 31 ? 0 : 1; // EXPECT[8]: exit 0
}
#elif CASE == 9
int main(void)
{
    char word[3];
    sscanf("abc", "%s", word); // EXPECT[9]: undefined OutOfBounds
}
#elif CASE == 10
int main(void)
{
    int a;
    sscanf("1 2", "%d %d", &a); // EXPECT[10]: undefined BadArgument
}
#elif CASE == 11
int main(void)
{
    FILE *file = fopen("x", "r");
    int c = fgetc(file); // EXPECT[11]: undefined NullDereference
    fclose(file);
    ungetc(c, file); // EXPECT[11]: undefined UseAfterFree
}
#elif CASE == 12
int main(void)
{
    FILE *file = fopen("x", "r");
    if (file)
        fclose(file);
    fclose(stdin);
    return getc(stdin) > 255; // EXPECT[12]: exit 0
}
#endif
