/* Numbers: absolute values, division, conversion from strings. */

int *__errno_location(void);
int __selvedge_isspace(int c);
unsigned long __selvedge_strlen(const char *s);

struct __selvedge_div { int quotient, remainder; };
struct __selvedge_ldiv { long quotient, remainder; };
struct __selvedge_lldiv { long long quotient, remainder; };

int __selvedge_abs(int n)
{
    return n < 0 ? -n : n;
}

long __selvedge_labs(long n)
{
    return n < 0 ? -n : n;
}

long long __selvedge_llabs(long long n)
{
    return n < 0 ? -n : n;
}

struct __selvedge_div __selvedge_div(int n, int d)
{
    struct __selvedge_div result = { n / d, n % d };
    return result;
}

struct __selvedge_ldiv __selvedge_ldiv(long n, long d)
{
    struct __selvedge_ldiv result = { n / d, n % d };
    return result;
}

struct __selvedge_lldiv __selvedge_lldiv(long long n, long long d)
{
    struct __selvedge_lldiv result = { n / d, n % d };
    return result;
}

/* The value of a digit or letter; 99 for anything else. */
static int __selvedge_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

/* The number at the start of a string: its magnitude, at most `limit`; its sign; where it ends, or the start if there is
   none. Beyond the limit, `is_too_big` is set. */
static unsigned long long __selvedge_parse(const char *s, const char **end, int base, int *is_negative, int *is_too_big,
                                           unsigned long long positive_limit, unsigned long long negative_limit)
{
    const char *at = s;
    unsigned long long value = 0;
    *end = s;
    *is_negative = 0;
    *is_too_big = 0;
    while (__selvedge_isspace((unsigned char)*at))
        at++;
    if (*at == '+' || *at == '-')
        *is_negative = *at++ == '-';
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')
        && __selvedge_digit((unsigned char)at[2]) < 16) {
        at += 2;
        base = 16;
    } else if (base == 0) {
        base = *at == '0' ? 8 : 10;
    }
    unsigned long long limit = *is_negative ? negative_limit : positive_limit;
    for (int digit; (digit = __selvedge_digit((unsigned char)*at)) < base; at++) {
        if (value > (limit - digit) / base)
            *is_too_big = 1;
        else
            value = value * base + digit;
        *end = at + 1;
    }
    return *is_too_big ? limit : value;
}

static long long __selvedge_signed(const char *s, char **end, int base, unsigned long long limit)
{
    const char *after;
    int is_negative, is_too_big;
    unsigned long long value = __selvedge_parse(s, &after, base, &is_negative, &is_too_big, limit, limit + 1);
    if (is_too_big)
        *__errno_location() = 34;
    if (end != 0)
        *end = (char *)after;
    return is_negative ? (long long)(0 - value) : (long long)value;
}

static unsigned long long __selvedge_unsigned(const char *s, char **end, int base, unsigned long long limit)
{
    const char *after;
    int is_negative, is_too_big;
    unsigned long long value = __selvedge_parse(s, &after, base, &is_negative, &is_too_big, limit, limit);
    if (is_too_big)
        *__errno_location() = 34;
    if (end != 0)
        *end = (char *)after;
    return is_negative && !is_too_big ? 0 - value : value;
}

long __selvedge_strtol(const char *s, char **end, int base)
{
    return (long)__selvedge_signed(s, end, base, (unsigned long long)(-1UL >> 1));
}

long long __selvedge_strtoll(const char *s, char **end, int base)
{
    return __selvedge_signed(s, end, base, -1ULL >> 1);
}

unsigned long __selvedge_strtoul(const char *s, char **end, int base)
{
    return (unsigned long)__selvedge_unsigned(s, end, base, (unsigned long long)-1UL);
}

unsigned long long __selvedge_strtoull(const char *s, char **end, int base)
{
    return __selvedge_unsigned(s, end, base, -1ULL);
}

int __selvedge_atoi(const char *s)
{
    return (int)__selvedge_strtol(s, 0, 10);
}

long __selvedge_atol(const char *s)
{
    return __selvedge_strtol(s, 0, 10);
}

long long __selvedge_atoll(const char *s)
{
    return __selvedge_strtoll(s, 0, 10);
}

/* What the random number functions keep between calls. Nothing is made of it, but two writes at once race. */
static char __selvedge_state_of_rand;
static char __selvedge_state_of_drand48;

void __selvedge_touch_rand(void)
{
    __selvedge_state_of_rand = 0;
}

void __selvedge_touch_drand48(void)
{
    __selvedge_state_of_drand48 = 0;
}
