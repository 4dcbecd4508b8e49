// The printf family reads its arguments as the format says.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int shared;
static char text[8] = "text";

static int list(char *buffer, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(buffer, size, format, arguments);
    va_end(arguments);
    return length;
}

#if CASE == 0
int main(void)
{
    char buffer[40];
    int status = sprintf(buffer, "%d|%5u|%-4x|%03o|%c|%s|%%", -7, 42u, 0xbeef, 8, 'q', "str") != 30;
    status += strcmp(buffer, "-7|   42|beef|010|q|str|%") != 0;
    status += snprintf(buffer, 5, "%s", "truncated") != 9 || strcmp(buffer, "trun") != 0;
    status += snprintf(0, 0, "%lld %hhd", 123456789012LL, 0x1ff) != 15;
    status += list(buffer, sizeof buffer, "%s=%i %lu %5.2s|", "k", -3, 4ul, "abc") != 14;
    status += strcmp(buffer, "k=-3 4    ab|") != 0;
    return status + printf("hello %s\n", "you") + puts("bye") * 0; // EXPECT[0]: exit 12
}
#elif CASE == 1
int main(void)
{
    printf("%d %d\n", 1); // EXPECT[1]: undefined BadArgument
}
#elif CASE == 2
int main(void)
{
    char *none = 0;
    printf("%s\n", none); // EXPECT[2]: undefined NullDereference
}
#elif CASE == 3
static void *write(void *unused)
{
    text[0] = 'T';
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, write, 0);
    printf("%s\n", text); // EXPECT[3]: race
    pthread_join(t, 0);
    return 0; // EXPECT[3]: exit 0
}
#elif CASE == 4
int main(void)
{
    printf("abc%ls\n", L"d");
    return 0; // EXPECT[4]: exit 0
}
#elif CASE == 5
int main(void)
{
    char small[4];
    sprintf(small, "%d", 12345); // EXPECT[5]: undefined OutOfBounds
    return small[0];
}
#elif CASE == 6
int main(void)
{
    char unterminated[2] = { 'a', 'b' };
    fprintf(stderr, "%.2s", unterminated);
    fprintf(stderr, "%s", unterminated); // EXPECT[6]: undefined OutOfBounds
}
#elif CASE == 7
int main(void)
{
    printf("%d\n", 1.5); // EXPECT[7]: undefined BadArgument
}
#elif CASE == 8
int main(void)
{
    char buffer[9];
    sprintf(buffer, "%f", 1.5); // EXPECT[8]: unsupported a conversion in a format, of whose text only the length is known roughly
    return buffer[0];
}
#endif
