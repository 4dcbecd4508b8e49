/* Internet addresses as text: those of four bytes exactly, those of sixteen any. */

int __selvedge_nondet_int(void);
unsigned long __selvedge_strlen(const char *s);
unsigned long __selvedge_any_bytes(char *buffer, unsigned long count);

/* A number of at most three digits without a leading zero; -1 if there is none. Moves the text on. */
static int __selvedge_octet(const char **text)
{
    int number = 0, digits = 0;
    for (; **text >= '0' && **text <= '9'; ++*text, digits++) {
        if (digits > 0 && number == 0)
            return -1;
        number = 10 * number + (**text - '0');
        if (number > 255)
            return -1;
    }
    return digits > 0 ? number : -1;
}

/* Four numbers: 1, or 0 if the text is no address. */
static int __selvedge_four_bytes(const char *text, unsigned char *address)
{
    unsigned char bytes[4];
    for (int at = 0; at < 4; at++) {
        int number = __selvedge_octet(&text);
        if (number < 0 || *text != (at < 3 ? '.' : 0))
            return 0;
        bytes[at] = (unsigned char)number;
        text++;
    }
    for (int at = 0; at < 4; at++)
        address[at] = bytes[at];
    return 1;
}

/* `AF_INET` is 2, `AF_INET6` is 10. */
int __selvedge_inet_pton(int family, const char *text, void *address)
{
    if (family == 2)
        return __selvedge_four_bytes(text, address);
    if (family != 10)
        return -1;
    __selvedge_strlen(text);
    if (__selvedge_nondet_int())
        return 0;
    __selvedge_any_bytes(address, 16);
    return 1;
}

/* A number as C writes it; the text after it, or null if there is none, or it does not fit. */
static const char *__selvedge_part(const char *text, unsigned int *part)
{
    unsigned int base = 10;
    unsigned long long number = 0;
    int digits = 0;
    if (*text == '0') {
        base = 8;
        text++;
        digits = 1;
        if (*text == 'x' || *text == 'X') {
            base = 16;
            text++;
            digits = 0;
        }
    }
    for (;; text++, digits++) {
        unsigned int digit;
        if (*text >= '0' && *text <= '9')
            digit = (unsigned int)(*text - '0');
        else if (*text >= 'a' && *text <= 'f')
            digit = (unsigned int)(*text - 'a') + 10;
        else if (*text >= 'A' && *text <= 'F')
            digit = (unsigned int)(*text - 'A') + 10;
        else
            break;
        if (digit >= base)
            return 0;
        number = base * number + digit;
        if (number > 0xffffffffULL)
            return 0;
    }
    *part = (unsigned int)number;
    return digits > 0 ? text : 0;
}

static int __selvedge_is_white(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* `inet_aton`: one to four numbers, of which the last fills what is left; blanks may follow. */
int __selvedge_inet_aton(const char *text, unsigned int *address)
{
    unsigned int value = 0, part = 0;
    int left = 4;
    while (left > 0) {
        text = __selvedge_part(text, &part);
        if (text == 0)
            return 0;
        if (*text != '.')
            break;
        if (part > 255 || left == 1)
            return 0;
        value |= part << (8 * --left);
        text++;
    }
    if (*text != 0 && !__selvedge_is_white(*text))
        return 0;
    if (left < 4 && part >= 1U << (8 * left))
        return 0;
    if (address != 0)
        *address = __builtin_bswap32(value | part);
    return 1;
}

unsigned int __selvedge_inet_addr(const char *text)
{
    unsigned int address;
    return __selvedge_inet_aton(text, &address) ? address : -1U;
}
