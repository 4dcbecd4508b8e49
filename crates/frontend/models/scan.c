/* What `sscanf` stores, character by character. A number that its type cannot hold becomes any number: C leaves that open. */

long long __selvedge_nondet_long_long(void);
void __selvedge_unsupported_conversion(void);

static int __selvedge_is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *__selvedge_skip_blanks(const char *s)
{
    while (__selvedge_is_blank(*s))
        s++;
    return s;
}

/* The value of a digit in any base, or a number that is no digit. */
static int __selvedge_digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

struct __selvedge_scanned {
    const char *end; /* null if there is no number */
    unsigned long long magnitude;
    int is_negative, is_too_big;
};

static struct __selvedge_scanned __selvedge_scan_number(const char *s, int width, int base)
{
    struct __selvedge_scanned number = {0, 0, 0, 0};
    int digits = 0, digit;
    if (width > 0 && (*s == '+' || *s == '-')) {
        number.is_negative = *s == '-';
        s++;
        width--;
    }
    if (width > 0 && *s == '0' && (base == 0 || base == 16)) {
        s++;
        width--;
        digits = 1;
        if (width > 0 && (*s == 'x' || *s == 'X')) {
            s++;
            width--;
            base = 16;
            digits = 0;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    for (; width > 0 && (digit = __selvedge_digit_of(*s)) < base; width--, s++) {
        if (number.magnitude > (0xffffffffffffffffULL - digit) / base)
            number.is_too_big = 1;
        number.magnitude = number.magnitude * base + digit;
        digits++;
    }
    if (digits > 0)
        number.end = s;
    return number;
}

static int __selvedge_fits(struct __selvedge_scanned number, int size, int is_signed)
{
    if (number.is_too_big)
        return 0;
    if (!is_signed)
        return size == 8 || number.magnitude >> (8 * size) == 0;
    unsigned long long limit = 1ULL << (8 * size - 1);
    return number.is_negative ? number.magnitude <= limit : number.magnitude < limit;
}

static void __selvedge_store_number(void *target, struct __selvedge_scanned number, int size, int is_signed)
{
    unsigned long long value = number.is_negative ? 0 - number.magnitude : number.magnitude;
    if (!__selvedge_fits(number, size, is_signed))
        value = (unsigned long long)__selvedge_nondet_long_long();
    if (size == 1)
        *(unsigned char *)target = (unsigned char)value;
    else if (size == 2)
        *(unsigned short *)target = (unsigned short)value;
    else if (size == 4)
        *(unsigned int *)target = (unsigned int)value;
    else
        *(unsigned long long *)target = value;
}

/* Whether a character is in the set behind `[`, which ends before its last `]`. */
static int __selvedge_is_in_set(const char *set, const char *end, char c)
{
    int is_other = *set == '^', is_found = 0;
    for (set += is_other; set != end; set++) {
        if (set + 1 != end && set[1] == '-' && set + 2 != end) {
            if ((unsigned char)set[0] <= (unsigned char)c && (unsigned char)c <= (unsigned char)set[2])
                is_found = 1;
            set += 2;
        } else if (*set == c) {
            is_found = 1;
        }
    }
    return is_found != is_other;
}

/* The `]` that ends a set. */
static const char *__selvedge_end_of_set(const char *set)
{
    if (*set == '^')
        set++;
    if (*set == ']')
        set++;
    while (*set != ']')
        set++;
    return set;
}

/* The targets of the conversions stand one after the other. */
int __selvedge_sscanf(const char *s, const char *format, void **targets)
{
    const char *start = s;
    int count = 0;
    for (; *format != 0; format++) {
        if (__selvedge_is_blank(*format)) {
            s = __selvedge_skip_blanks(s);
            continue;
        }
        if (*format != '%' || format[1] == '%') {
            if (*format == '%') {
                format++;
                s = __selvedge_skip_blanks(s);
            }
            if (*s != *format)
                return *s == 0 && count == 0 ? -1 : count;
            s++;
            continue;
        }
        format++;
        int is_dropped = *format == '*', width = 0, size = 4;
        format += is_dropped;
        for (; *format >= '0' && *format <= '9'; format++)
            width = 10 * width + (*format - '0');
        for (;; format++) {
            if (*format == 'h')
                size /= 2;
            else if (*format == 'j' || *format == 'q' || (*format == 'l' && format[1] == 'l'))
                size = 8;
            else if (*format == 'z' || *format == 't' || (*format == 'l' && format[-1] != 'l'))
                size = (int)sizeof(long);
            else if (*format != 'l')
                break;
        }
        char letter = *format;
        if (letter == 'n') {
            if (!is_dropped)
                *(int *)*targets++ = (int)(s - start);
            continue;
        }
        if (letter != 'c' && letter != '[')
            s = __selvedge_skip_blanks(s);
        if (*s == 0)
            return count == 0 ? -1 : count;
        if (width == 0)
            width = letter == 'c' ? 1 : 0x7fffffff;
        void *target = is_dropped ? (void *)0 : *targets++;
        if (letter == 'd' || letter == 'i' || letter == 'u' || letter == 'x' || letter == 'X' || letter == 'o') {
            int base = letter == 'i' ? 0 : letter == 'o' ? 8 : letter == 'd' || letter == 'u' ? 10 : 16;
            struct __selvedge_scanned number = __selvedge_scan_number(s, width, base);
            if (number.end == 0)
                return count;
            s = number.end;
            if (!is_dropped)
                __selvedge_store_number(target, number, size, letter == 'd' || letter == 'i');
        } else if (letter == 'c' || letter == 's' || letter == '[') {
            const char *set = format + 1;
            char *to = target;
            int taken = 0;
            if (letter == '[')
                format = __selvedge_end_of_set(set);
            for (; taken < width && *s != 0; taken++, s++) {
                if (letter == 's' ? __selvedge_is_blank(*s) : letter == '[' && !__selvedge_is_in_set(set, format, *s))
                    break;
                if (!is_dropped)
                    to[taken] = *s;
            }
            if (taken == 0)
                return count;
            if (!is_dropped && letter != 'c')
                to[taken] = 0;
        } else {
            __selvedge_unsupported_conversion();
        }
        count += !is_dropped;
    }
    return count;
}
