/* Strings of wide characters, which have four bytes each, and memory of them. */

void *__selvedge_malloc(unsigned long size);
void *__selvedge_memcpy(void *target, const void *source, unsigned long size);
void *__selvedge_memmove(void *target, const void *source, unsigned long size);
unsigned long __selvedge_wide_length(const int *text);

unsigned long __selvedge_wcsnlen(const int *text, unsigned long most)
{
    unsigned long length = 0;
    while (length < most && text[length] != 0)
        length++;
    return length;
}

int *__selvedge_wmemcpy(int *to, const int *from, unsigned long count)
{
    return __selvedge_memcpy(to, from, 4 * count);
}

int *__selvedge_wmempcpy(int *to, const int *from, unsigned long count)
{
    return __selvedge_wmemcpy(to, from, count) + count;
}

int *__selvedge_wmemmove(int *to, const int *from, unsigned long count)
{
    return __selvedge_memmove(to, from, 4 * count);
}

int *__selvedge_wmemset(int *to, int c, unsigned long count)
{
    for (unsigned long at = 0; at < count; at++)
        to[at] = c;
    return to;
}

int *__selvedge_wmemchr(const int *from, int c, unsigned long count)
{
    for (unsigned long at = 0; at < count; at++)
        if (from[at] == c)
            return (int *)from + at;
    return 0;
}

static int __selvedge_wide_order(int left, int right)
{
    return left < right ? -1 : left > right;
}

int __selvedge_wmemcmp(const int *left, const int *right, unsigned long count)
{
    for (unsigned long at = 0; at < count; at++)
        if (left[at] != right[at])
            return __selvedge_wide_order(left[at], right[at]);
    return 0;
}

int __selvedge_wcsncmp(const int *left, const int *right, unsigned long most)
{
    for (unsigned long at = 0; at < most; at++) {
        if (left[at] != right[at])
            return __selvedge_wide_order(left[at], right[at]);
        if (left[at] == 0)
            return 0;
    }
    return 0;
}

int __selvedge_wcscmp(const int *left, const int *right)
{
    return __selvedge_wcsncmp(left, right, -1UL);
}

static int __selvedge_wide_lower(int c)
{
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

int __selvedge_wcsncasecmp(const int *left, const int *right, unsigned long most)
{
    for (unsigned long at = 0; at < most; at++) {
        int l = __selvedge_wide_lower(left[at]), r = __selvedge_wide_lower(right[at]);
        if (l != r)
            return __selvedge_wide_order(l, r);
        if (l == 0)
            return 0;
    }
    return 0;
}

int __selvedge_wcscasecmp(const int *left, const int *right)
{
    return __selvedge_wcsncasecmp(left, right, -1UL);
}

int *__selvedge_wcpcpy(int *to, const int *from)
{
    unsigned long length = __selvedge_wide_length(from);
    __selvedge_wmemcpy(to, from, length + 1);
    return to + length;
}

int *__selvedge_wcscpy(int *to, const int *from)
{
    __selvedge_wcpcpy(to, from);
    return to;
}

int *__selvedge_wcpncpy(int *to, const int *from, unsigned long count)
{
    unsigned long length = __selvedge_wcsnlen(from, count);
    __selvedge_wmemcpy(to, from, length);
    __selvedge_wmemset(to + length, 0, count - length);
    return to + length;
}

int *__selvedge_wcsncpy(int *to, const int *from, unsigned long count)
{
    __selvedge_wcpncpy(to, from, count);
    return to;
}

int *__selvedge_wcscat(int *to, const int *from)
{
    __selvedge_wcpcpy(to + __selvedge_wide_length(to), from);
    return to;
}

int *__selvedge_wcsncat(int *to, const int *from, unsigned long most)
{
    int *end = to + __selvedge_wide_length(to);
    unsigned long length = __selvedge_wcsnlen(from, most);
    __selvedge_wmemcpy(end, from, length);
    end[length] = 0;
    return to;
}

int *__selvedge_wcsdup(const int *text)
{
    unsigned long count = __selvedge_wide_length(text) + 1;
    return __selvedge_wmemcpy(__selvedge_malloc(4 * count), text, count);
}

int *__selvedge_wcschrnul(const int *text, int c)
{
    while (*text != c && *text != 0)
        text++;
    return (int *)text;
}

int *__selvedge_wcschr(const int *text, int c)
{
    int *found = __selvedge_wcschrnul(text, c);
    return *found == c ? found : 0;
}

int *__selvedge_wcsrchr(const int *text, int c)
{
    const int *found = 0;
    for (;; text++) {
        if (*text == c)
            found = text;
        if (*text == 0)
            return (int *)found;
    }
}

/* How many characters at the start are of a set (or not). */
static unsigned long __selvedge_wide_span(const int *text, const int *set, int of_the_set)
{
    unsigned long length = 0;
    while (text[length] != 0 && (__selvedge_wcschr(set, text[length]) != 0) == of_the_set)
        length++;
    return length;
}

unsigned long __selvedge_wcsspn(const int *text, const int *set)
{
    return __selvedge_wide_span(text, set, 1);
}

unsigned long __selvedge_wcscspn(const int *text, const int *set)
{
    return __selvedge_wide_span(text, set, 0);
}

int *__selvedge_wcspbrk(const int *text, const int *set)
{
    text += __selvedge_wide_span(text, set, 0);
    return *text == 0 ? 0 : (int *)text;
}

int *__selvedge_wcsstr(const int *text, const int *wanted)
{
    unsigned long length = __selvedge_wide_length(wanted);
    for (;; text++) {
        if (__selvedge_wcsncmp(text, wanted, length) == 0)
            return (int *)text;
        if (*text == 0)
            return 0;
    }
}

int *__selvedge_wcstok(int *text, const int *set, int **rest)
{
    if (text == 0)
        text = *rest;
    if (text == 0)
        return 0;
    text += __selvedge_wide_span(text, set, 1);
    if (*text == 0) {
        *rest = 0;
        return 0;
    }
    int *end = text + __selvedge_wide_span(text, set, 0);
    if (*end == 0) {
        *rest = 0;
    } else {
        *end = 0;
        *rest = end + 1;
    }
    return text;
}
