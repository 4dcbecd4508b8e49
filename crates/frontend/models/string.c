/* Strings. Comparisons answer with the difference of the first two characters that differ. */

int __selvedge_tolower(int c);
void __selvedge_require_apart(int condition);

/* One step of a copy: what is written must not be the start of what is read, nor the other way round. A string may be copied to
   itself, which is harmless. */
static void __selvedge_step_apart(const char *to, const char *from, const char *target, const char *source)
{
    __selvedge_require_apart((target == source) | ((to != source) & (from != target)));
}

unsigned long __selvedge_strlen(const char *s)
{
    unsigned long length = 0;
    while (s[length] != 0)
        length++;
    return length;
}

unsigned long __selvedge_strnlen(const char *s, unsigned long limit)
{
    unsigned long length = 0;
    while (length < limit && s[length] != 0)
        length++;
    return length;
}

/* Reads a string up to its end, or up to a limit that is not negative; its length. */
unsigned long __selvedge_read_string(const char *s, int limit)
{
    return limit < 0 ? __selvedge_strlen(s) : __selvedge_strnlen(s, (unsigned long)limit);
}

/* The end of `strdup`: the room is there already. */
char *__selvedge_duplicate(char *copy, const char *s, unsigned long length)
{
    for (unsigned long at = 0; at < length; at++)
        copy[at] = s[at];
    copy[length] = 0;
    return copy;
}

char *__selvedge_stpcpy(char *target, const char *source)
{
    char *to = target, c;
    const char *from = source;
    do {
        __selvedge_step_apart(to, from, target, source);
        c = *from++;
        *to++ = c;
    } while (c != 0);
    return to - 1;
}

char *__selvedge_strcpy(char *target, const char *source)
{
    __selvedge_stpcpy(target, source);
    return target;
}

char *__selvedge_stpncpy(char *target, const char *source, unsigned long size)
{
    char *to = target, c;
    const char *from = source;
    for (; size > 0; size--) {
        __selvedge_step_apart(to, from, target, source);
        c = *from++;
        if (c == 0)
            break;
        *to++ = c;
    }
    for (unsigned long at = 0; at < size; at++) {
        __selvedge_require_apart((target == source) | (to + at != source));
        to[at] = 0;
    }
    return to;
}

char *__selvedge_strncpy(char *target, const char *source, unsigned long size)
{
    __selvedge_stpncpy(target, source, size);
    return target;
}

char *__selvedge_strcat(char *target, const char *source)
{
    __selvedge_stpcpy(target + __selvedge_strlen(target), source);
    return target;
}

char *__selvedge_strncat(char *target, const char *source, unsigned long size)
{
    char *end = target + __selvedge_strlen(target), *to = end, c;
    const char *from = source;
    for (; size > 0; size--) {
        __selvedge_step_apart(to, from, end, source);
        c = *from++;
        if (c == 0)
            break;
        *to++ = c;
    }
    __selvedge_require_apart((end == source) | (to != source));
    *to = 0;
    return target;
}

unsigned long __selvedge_strlcpy(char *target, const char *source, unsigned long size)
{
    unsigned long length = __selvedge_strlen(source);
    if (size > 0)
        __selvedge_duplicate(target, source, length < size ? length : size - 1);
    return length;
}

unsigned long __selvedge_strlcat(char *target, const char *source, unsigned long size)
{
    unsigned long used = __selvedge_strnlen(target, size);
    return used + __selvedge_strlcpy(target + used, source, size - used);
}

int __selvedge_strncmp(const char *left, const char *right, unsigned long limit)
{
    for (; limit > 0; limit--, left++, right++) {
        int a = (unsigned char)*left, b = (unsigned char)*right;
        if (a != b)
            return a - b;
        if (a == 0)
            return 0;
    }
    return 0;
}

int __selvedge_strcmp(const char *left, const char *right)
{
    return __selvedge_strncmp(left, right, -1UL);
}

int __selvedge_strncasecmp(const char *left, const char *right, unsigned long limit)
{
    for (; limit > 0; limit--, left++, right++) {
        int a = __selvedge_tolower((unsigned char)*left), b = __selvedge_tolower((unsigned char)*right);
        if (a != b)
            return a - b;
        if (a == 0)
            return 0;
    }
    return 0;
}

int __selvedge_strcasecmp(const char *left, const char *right)
{
    return __selvedge_strncasecmp(left, right, -1UL);
}

/* The first place of a character, or the end. */
char *__selvedge_strchrnul(const char *s, int c)
{
    char at;
    while ((at = *s) != (char)c && at != 0)
        s++;
    return (char *)s;
}

char *__selvedge_strchr(const char *s, int c)
{
    char *at = __selvedge_strchrnul(s, c);
    return *at == (char)c ? at : 0;
}

char *__selvedge_strrchr(const char *s, int c)
{
    const char *last = 0;
    char at;
    do {
        at = *s;
        if (at == (char)c)
            last = s;
        s++;
    } while (at != 0);
    return (char *)last;
}

char *__selvedge_strstr(const char *s, const char *wanted)
{
    unsigned long length = __selvedge_strlen(wanted);
    for (;; s++) {
        if (__selvedge_strncmp(s, wanted, length) == 0)
            return (char *)s;
        if (*s == 0)
            return 0;
    }
}

char *__selvedge_strcasestr(const char *s, const char *wanted)
{
    unsigned long length = __selvedge_strlen(wanted);
    for (;; s++) {
        if (__selvedge_strncasecmp(s, wanted, length) == 0)
            return (char *)s;
        if (*s == 0)
            return 0;
    }
}

/* Whether a character is one of a set. */
static int __selvedge_is_among(char c, const char *set)
{
    for (char member; (member = *set) != 0; set++)
        if (member == c)
            return 1;
    return 0;
}

unsigned long __selvedge_strspn(const char *s, const char *set)
{
    unsigned long length = 0;
    char c;
    while ((c = s[length]) != 0 && __selvedge_is_among(c, set))
        length++;
    return length;
}

unsigned long __selvedge_strcspn(const char *s, const char *set)
{
    unsigned long length = 0;
    char c;
    while ((c = s[length]) != 0 && !__selvedge_is_among(c, set))
        length++;
    return length;
}

char *__selvedge_strpbrk(const char *s, const char *set)
{
    s += __selvedge_strcspn(s, set);
    return *s != 0 ? (char *)s : 0;
}

char *__selvedge_strsep(char **rest, const char *set)
{
    char *token = *rest;
    if (token == 0)
        return 0;
    char *end = token + __selvedge_strcspn(token, set);
    if (*end != 0) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = 0;
    }
    return token;
}

char *__selvedge_strtok_r(char *s, const char *set, char **rest)
{
    if (s == 0)
        s = *rest;
    if (s == 0)
        return 0;
    s += __selvedge_strspn(s, set);
    if (*s == 0) {
        *rest = s;
        return 0;
    }
    char *end = s + __selvedge_strcspn(s, set);
    if (*end != 0)
        *end++ = 0;
    *rest = end;
    return s;
}

/* What `strtok` remembers is shared by all threads, so two that call it at once race. */
static char *__selvedge_state_of_strtok;

char *__selvedge_strtok(char *s, const char *set)
{
    return __selvedge_strtok_r(s, set, &__selvedge_state_of_strtok);
}

char *__selvedge_strerror(int number)
{
    static char text[] = "error";
    (void)number;
    return text;
}
