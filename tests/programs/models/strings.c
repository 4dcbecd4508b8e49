// Strings, characters, numbers, sorting.
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int descending(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

#if CASE == 0
int main(void)
{
    char buffer[32] = "abc", *rest, *copy;
    int status = 0;
    status += strlen(strcat(buffer, "def")) != 6 || strnlen(buffer, 4) != 4;
    status += strcmp(buffer, "abcdef") != 0 || strncmp(buffer, "abX", 2) != 0 || strcmp("a", "b") >= 0;
    status += strcasecmp("HeLLo", "hEllO") != 0 || strchr(buffer, 'd') != buffer + 3 || strchr(buffer, 'z') != 0;
    status += strrchr("a/b/c", '/')[1] != 'c' || strcmp(strstr(buffer, "cd"), "cdef") != 0;
    status += strspn("aab", "a") != 2 || strcspn("aab", "b") != 2 || *strpbrk("xyz", "zy") != 'y';
    copy = strdup("one,two;three");
    status += strcmp(strtok_r(copy, ",;", &rest), "one") != 0 || strcmp(strtok_r(0, ",;", &rest), "two") != 0;
    status += strcmp(strtok_r(0, ",;", &rest), "three") != 0 || strtok_r(0, ",;", &rest) != 0;
    free(copy);
    copy = strndup("abcdef", 2);
    status += strcmp(copy, "ab") != 0 || strcmp(strncpy(buffer, "xyz", 2), "xycdef") != 0;
    status += *stpcpy(buffer, "hi") != 0 || strcmp(strncat(buffer, "there", 3), "hithe") != 0;
    return status; // EXPECT[0]: exit 0
}
#elif CASE == 1
int main(void)
{
    char small[3];
    strcpy(small, "abc"); // EXPECT[1]: undefined OutOfBounds
    return small[0];
}
#elif CASE == 2
int main(void)
{
    char unterminated[2] = { 'a', 'b' };
    return strlen(unterminated); // EXPECT[2]: undefined OutOfBounds
}
#elif CASE == 3
int main(void)
{
    char *end;
    int status = atoi(" -42x") != -42 || strtol("0x1fz", &end, 0) != 31 || *end != 'z';
    status += strtol("077", 0, 0) != 63 || strtoul("zz", 0, 36) != 35 * 37 || atoll("9000000000") != 9000000000;
    status += errno != 0 || strtol("99999999999999999999", 0, 10) != LONG_MAX || errno != ERANGE;
    errno = 0;
    status += strtoul("-1", 0, 10) != ULONG_MAX || errno != 0 || strtol("none", &end, 10) != 0 || *end != 'n';
    return status + abs(-3) - labs(-3L); // EXPECT[3]: exit 0
}
#elif CASE == 4
int main(void)
{
    int numbers[] = { 3, 1, 4, 1, 5 }, key = 4;
    qsort(numbers, 5, sizeof *numbers, descending);
    int *found = bsearch(&key, numbers, 5, sizeof *numbers, descending);
    div_t q = div(17, 5);
    return numbers[0] * 10 + (int)(found - numbers) + 100 * (numbers[4] != 1) + 100 * (q.quot != 3 || q.rem != 2); // EXPECT[4]: exit 51
}
#elif CASE == 5
int main(void)
{
    int status = !isdigit('7') || isdigit('x') || !isalpha('x') || !isspace('\t') || !isupper('Q') || !ispunct('!');
    status += toupper('a') != 'A' || tolower('Q') != 'q' || toupper('3') != '3' || !isxdigit('f') || isprint('\n');
    return status; // EXPECT[5]: exit 0
}
#elif CASE == 6
int main(void)
{
    strcpy((char *)"constant", "other"); // EXPECT[6]: undefined WriteToConstant
}
#elif CASE == 7
int main(void)
{
    return isdigit(4000); // EXPECT[7]: undefined OutOfBounds
}
#endif
