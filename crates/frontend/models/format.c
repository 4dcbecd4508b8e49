/* What `sprintf` and `snprintf` write, one part at a time: each function writes at a position what fits into the buffer's
   size, and gives the position behind the part. Flags: 1 `-`, 2 `0`, 4 `+`, 8 space, 16 `#`, 32 capital letters. */

unsigned long __selvedge_strlen(const char *s);
unsigned long __selvedge_strnlen(const char *s, unsigned long limit);
unsigned long __selvedge_any_string(char *buffer, unsigned long size);
int __selvedge_nondet_int(void);
void __selvedge_output(int character);
char __selvedge_nondet_char(void);
void *__selvedge_malloc(unsigned long size);
void __selvedge_rough_conversion(void);
void __selvedge_rough_format(void);
void __selvedge_require_conversion(int condition);
void __selvedge_free(void *pointer);
void __selvedge_require_apart(int condition);

static char __selvedge_stream_in, __selvedge_stream_out, __selvedge_stream_error;
static char *__selvedge_environment[1];

void *stdin = &__selvedge_stream_in;
void *stdout = &__selvedge_stream_out;
void *stderr = &__selvedge_stream_error;
char **environ = __selvedge_environment;
char **__environ = __selvedge_environment;

static int __selvedge_is_standard(const void *stream)
{
    return (stream == (void *)&__selvedge_stream_in) | (stream == (void *)&__selvedge_stream_out) |
           (stream == (void *)&__selvedge_stream_error);
}

/* Undefined for null and for a stream that has been closed. The standard streams are never closed. */
int __selvedge_use_stream(const void *stream)
{
    if (!__selvedge_is_standard(stream))
        (void)*(volatile const char *)stream;
    return 0;
}

int __selvedge_is_stdout(const void *stream)
{
    __selvedge_use_stream(stream);
    return stream == (void *)&__selvedge_stream_out;
}

int __selvedge_fclose(void *stream)
{
    __selvedge_use_stream(stream);
    if (!__selvedge_is_standard(stream))
        __selvedge_free(stream);
    return __selvedge_nondet_int() ? -1 : 0;
}

/* `fflush` of null is for all streams. */
int __selvedge_fflush(void *stream)
{
    if (stream != 0)
        __selvedge_use_stream(stream);
    return 0;
}

/* A question about a stream: any answer. */
int __selvedge_ask_stream(void *stream)
{
    __selvedge_use_stream(stream);
    return __selvedge_nondet_int();
}

int __selvedge_fileno(void *stream)
{
    int any = __selvedge_ask_stream(stream);
    return any >= 0 ? any : 0;
}

/* The buffer may also be the standard output. */
static unsigned long __selvedge_put(char *buffer, unsigned long size, unsigned long position, char c)
{
    if (buffer == &__selvedge_stream_out)
        __selvedge_output(c);
    else if (position < size && size - position > 1)
        buffer[position] = c;
    return position + 1;
}

static unsigned long __selvedge_put_many(char *buffer, unsigned long size, unsigned long position, char c, long count)
{
    for (; count > 0; count--)
        position = __selvedge_put(buffer, size, position, c);
    return position;
}

unsigned long __selvedge_put_bytes(char *buffer, unsigned long size, unsigned long position, const char *bytes,
                                   unsigned long count)
{
    for (unsigned long at = 0; at < count; at++)
        position = __selvedge_put(buffer, size, position, bytes[at]);
    return position;
}

unsigned long __selvedge_put_end(char *buffer, unsigned long size, unsigned long position)
{
    if (size > 0)
        buffer[position < size ? position : size - 1] = 0;
    return position;
}

static unsigned long __selvedge_put_padded(char *buffer, unsigned long size, unsigned long position, const char *bytes,
                                           unsigned long count, int flags, int width)
{
    int to_left = flags & 1;
    long padding = width < 0 ? -(long)width : width;
    if (width < 0)
        to_left = 1;
    padding -= (long)count;
    if (!to_left)
        position = __selvedge_put_many(buffer, size, position, ' ', padding);
    position = __selvedge_put_bytes(buffer, size, position, bytes, count);
    if (to_left)
        position = __selvedge_put_many(buffer, size, position, ' ', padding);
    return position;
}

unsigned long __selvedge_put_char(char *buffer, unsigned long size, unsigned long position, int c, int flags, int width)
{
    char text = (char)c;
    return __selvedge_put_padded(buffer, size, position, &text, 1, flags, width);
}

unsigned long __selvedge_put_string(char *buffer, unsigned long size, unsigned long position, const char *s, int flags,
                                    int width, int precision)
{
    unsigned long count = precision < 0 ? __selvedge_strlen(s) : __selvedge_strnlen(s, (unsigned long)precision);
    return __selvedge_put_padded(buffer, size, position, s, count, flags, width);
}

/* The same for a string that must not overlap what has been written so far, and itself. */
unsigned long __selvedge_put_string_apart(char *buffer, unsigned long size, unsigned long position, const char *s,
                                          int flags, int width, int precision)
{
    unsigned long count = precision < 0 ? __selvedge_strlen(s) : __selvedge_strnlen(s, (unsigned long)precision);
    unsigned long read = precision < 0 || count < (unsigned long)precision ? count + 1 : count;
    if (size > 0) {
        for (unsigned long at = 0; at < read; at++)
            __selvedge_require_apart(s + at != buffer);
        for (unsigned long at = 0; at < position + count && at < size; at++)
            __selvedge_require_apart(buffer + at != s);
    }
    return __selvedge_put_string(buffer, size, position, s, flags, width, precision);
}

/* After all parts: of a string that was printed nothing has been overwritten, neither by later parts nor by the final zero. */
unsigned long __selvedge_put_apart(const char *buffer, unsigned long size, unsigned long length, const char *s,
                                   int precision)
{
    if (precision != 0)
        for (unsigned long at = 0; at <= length && at < size; at++)
            __selvedge_require_apart(buffer + at != s);
    return length;
}

/* Digits with a prefix: the sign, or `0x`. */
static unsigned long __selvedge_put_digits(char *buffer, unsigned long size, unsigned long position,
                                           unsigned long long value, int base, const char *prefix, int flags, int width,
                                           int precision)
{
    char digits[24];
    int first = 24, to_left = (flags & 1) != 0 || width < 0;
    for (; value != 0; value /= base) {
        int digit = (int)(value % base);
        digits[--first] = (char)(digit < 10 ? '0' + digit : (flags & 32 ? 'A' : 'a') + digit - 10);
    }
    long count = 24 - first, zeros = (precision < 0 ? 1 : precision) - count;
    if (zeros < 0)
        zeros = 0;
    if (base == 8 && (flags & 16) && zeros == 0 && (count == 0 || digits[first] != '0'))
        zeros = 1;
    long length = (long)__selvedge_strlen(prefix) + zeros + count;
    long padding = (width < 0 ? -(long)width : width) - length;
    if (!to_left && (flags & 2) && precision < 0 && padding > 0) {
        zeros += padding;
        padding = 0;
    }
    if (!to_left)
        position = __selvedge_put_many(buffer, size, position, ' ', padding);
    position = __selvedge_put_bytes(buffer, size, position, prefix, __selvedge_strlen(prefix));
    position = __selvedge_put_many(buffer, size, position, '0', zeros);
    position = __selvedge_put_bytes(buffer, size, position, digits + first, (unsigned long)count);
    if (to_left)
        position = __selvedge_put_many(buffer, size, position, ' ', padding);
    return position;
}

unsigned long __selvedge_put_signed(char *buffer, unsigned long size, unsigned long position, long long value, int flags,
                                    int width, int precision)
{
    const char *prefix = value < 0 ? "-" : flags & 4 ? "+" : flags & 8 ? " " : "";
    unsigned long long magnitude = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
    return __selvedge_put_digits(buffer, size, position, magnitude, 10, prefix, flags, width, precision);
}

unsigned long __selvedge_put_unsigned(char *buffer, unsigned long size, unsigned long position, unsigned long long value,
                                      int base, int flags, int width, int precision)
{
    const char *prefix = "";
    if (base == 16 && (flags & 16) && value != 0)
        prefix = flags & 32 ? "0X" : "0x";
    return __selvedge_put_digits(buffer, size, position, value, base, prefix, flags, width, precision);
}

/* Text of which only the length is known, roughly: any characters. */
static unsigned long __selvedge_put_any(char *buffer, unsigned long size, unsigned long position, long least, long most,
                                        int width)
{
    __selvedge_rough_conversion();
    unsigned padding = width < 0 ? 0u - (unsigned)width : (unsigned)width;
    if (least < (long)padding)
        least = padding;
    for (long at = 0; at < most || at < (long)padding; at++) {
        if (at >= least && __selvedge_nondet_int())
            break;
        char c = __selvedge_nondet_char();
        position = __selvedge_put(buffer, size, position, c == 0 ? ' ' : c);
    }
    return position;
}

/* A floating-point number under a conversion, whose letter is a small one here. The longest are the greatest number by
   `%f`, and in exponents of three, four or, in binary, five digits; the shortest a digit or `inf`. */
unsigned long __selvedge_put_float(char *buffer, unsigned long size, unsigned long position, int letter, int is_long,
                                   int width, int precision)
{
    long least = 3, most, digits = precision < 0 ? letter == 'a' ? is_long ? 16 : 13 : 6 : precision;
    if (letter == 'f') {
        most = (is_long ? 4933 : 309) + 2 + digits;
        least = precision == 0 ? 1 : 3;
    } else if (letter == 'e') {
        most = (is_long ? 9 : 8) + digits;
    } else if (letter == 'g') {
        most = (is_long ? 9 : 8) + digits;
        least = 1;
    } else {
        most = (is_long ? 12 : 11) + digits;
    }
    return __selvedge_put_any(buffer, size, position, least, most, width);
}

/* An address: a sign, `0x` and the digits, or something like `(nil)`. */
unsigned long __selvedge_put_pointer(char *buffer, unsigned long size, unsigned long position, int width, int precision)
{
    long digits = 2 * (long)sizeof(void *);
    return __selvedge_put_any(buffer, size, position, 1, 3 + (precision > digits ? precision : digits), width);
}

/* A wide character: several bytes, or none where it cannot be written. */
unsigned long __selvedge_put_wide_char(char *buffer, unsigned long size, unsigned long position, int width)
{
    return __selvedge_put_any(buffer, size, position, 0, 6, width);
}

/* Reads a string of wide characters. Of one that is cut off, perhaps not so many: each becomes several bytes. */
unsigned long __selvedge_read_wide_string(const int *s, int precision)
{
    unsigned long count = 0;
    if (precision >= 0)
        __selvedge_rough_conversion();
    while (precision < 0 || (count < (unsigned long)precision && (count == 0 || __selvedge_nondet_int()))) {
        if (*(const volatile int *)(s + count) == 0)
            break;
        count++;
    }
    return count;
}

unsigned long __selvedge_put_wide_string(char *buffer, unsigned long size, unsigned long position, const int *s,
                                         int width, int precision)
{
    unsigned long count = __selvedge_read_wide_string(s, precision);
    long most = precision < 0 ? 6 * (long)count : precision;
    return __selvedge_put_any(buffer, size, position, 0, most, width);
}

/* `%m`: what the last error is called, in some language. */
unsigned long __selvedge_put_message(char *buffer, unsigned long size, unsigned long position, int width, int precision)
{
    return __selvedge_put_any(buffer, size, position, 0, precision >= 0 && precision < 255 ? precision : 255, width);
}

/* `sprintf` of which we do not know what it prints: any characters, any number of them. */
int __selvedge_any_sprintf(char *buffer)
{
    unsigned long position = 0;
    __selvedge_rough_format();
    for (; __selvedge_nondet_int(); position++)
        buffer[position] = __selvedge_nondet_char();
    buffer[position] = 0;
    return (int)position;
}

/* `snprintf` of which we do not know what it prints: any string that fits, any length that goes with it. */
int __selvedge_any_snprintf(char *buffer, unsigned long size, const char *format)
{
    (void)format;
    __selvedge_rough_format();
    int length = __selvedge_nondet_int();
    if (length < 0)
        length = 0;
    if (size > 0) {
        unsigned long written = __selvedge_any_string(buffer, size);
        if (written < size - 1 || (unsigned long)length < written)
            length = (int)written;
    }
    return length;
}

/* A format whose conversions are known only when the program runs, with its arguments in a list. */
static unsigned long __selvedge_vformat(char *buffer, unsigned long size, const char *format, __builtin_va_list list)
{
    unsigned long position = 0;
    const char *printed[8];
    int count = 0;
    char c;
    while ((c = *format++) != 0) {
        if (c != '%') {
            position = __selvedge_put(buffer, size, position, c);
            continue;
        }
        int flags = 0, width = 0, precision = -1, length = 0;
        for (;; format++) {
            c = *format;
            if (c == '-')
                flags |= 1;
            else if (c == '0')
                flags |= 2;
            else if (c == '+')
                flags |= 4;
            else if (c == ' ')
                flags |= 8;
            else if (c == '#')
                flags |= 16;
            else if (c != '\'')
                break;
        }
        if (*format == '*') {
            width = __builtin_va_arg(list, int);
            format++;
        } else {
            for (; (c = *format) >= '0' && c <= '9'; format++)
                width = 10 * width + (c - '0');
        }
        if (*format == '.') {
            precision = 0;
            format++;
            if (*format == '*') {
                precision = __builtin_va_arg(list, int);
                format++;
            } else {
                for (; (c = *format) >= '0' && c <= '9'; format++)
                    precision = 10 * precision + (c - '0');
            }
        }
        for (;; format++) {
            c = *format;
            if (c == 'h')
                length--;
            else if (c == 'l' || c == 'z' || c == 't')
                length++;
            else if (c == 'j' || c == 'q')
                length = 2;
            else if (c == 'L')
                length = 3;
            else
                break;
        }
        format++;
        if (c == 'd' || c == 'i') {
            long long value;
            if (length >= 2)
                value = __builtin_va_arg(list, long long);
            else if (length == 1)
                value = __builtin_va_arg(list, long);
            else
                value = __builtin_va_arg(list, int);
            if (length == -1)
                value = (short)value;
            else if (length == -2)
                value = (signed char)value;
            position = __selvedge_put_signed(buffer, size, position, value, flags, width, precision);
        } else if (c == 'u' || c == 'x' || c == 'X' || c == 'o') {
            unsigned long long value;
            if (length >= 2)
                value = __builtin_va_arg(list, unsigned long long);
            else if (length == 1)
                value = __builtin_va_arg(list, unsigned long);
            else
                value = __builtin_va_arg(list, unsigned int);
            if (length == -1)
                value = (unsigned short)value;
            else if (length == -2)
                value = (unsigned char)value;
            if (c == 'X')
                flags |= 32;
            int base = c == 'u' ? 10 : c == 'o' ? 8 : 16;
            position = __selvedge_put_unsigned(buffer, size, position, value, base, flags, width, precision);
        } else if (c == 'c' && length == 0) {
            position = __selvedge_put_char(buffer, size, position, __builtin_va_arg(list, int), flags, width);
        } else if (c == 's' && length == 0) {
            const char *text = __builtin_va_arg(list, char *);
            position = __selvedge_put_string_apart(buffer, size, position, text, flags, width, precision);
            /* Of more than 8 strings any that come late may be the ones that are looked at again: each is, on some path. */
            if (size > 0 && precision != 0) {
                if (count < 8)
                    printed[count++] = text;
                else if (__selvedge_nondet_int())
                    printed[7] = text;
            }
        } else if (c == '%') {
            position = __selvedge_put(buffer, size, position, c);
        } else if (c == 'n') {
            void *target = __builtin_va_arg(list, void *);
            if (length >= 2)
                *(long long *)target = (long long)position;
            else if (length == 1)
                *(long *)target = (long)position;
            else if (length == 0)
                *(int *)target = (int)position;
            else if (length == -1)
                *(short *)target = (short)position;
            else
                *(signed char *)target = (signed char)position;
        } else if (c == 'p') {
            (void)__builtin_va_arg(list, void *);
            position = __selvedge_put_pointer(buffer, size, position, width, precision);
        } else if (c == 'm') {
            position = __selvedge_put_message(buffer, size, position, width, precision);
        } else if (c == 'C' || (c == 'c' && length == 1)) {
            (void)__builtin_va_arg(list, unsigned int);
            position = __selvedge_put_wide_char(buffer, size, position, width);
        } else if (c == 'S' || (c == 's' && length == 1)) {
            const int *text = __builtin_va_arg(list, int *);
            position = __selvedge_put_wide_string(buffer, size, position, text, width, precision);
        } else if (c == 'f' || c == 'F' || c == 'e' || c == 'E' || c == 'g' || c == 'G' || c == 'a' || c == 'A') {
            if (length == 3)
                (void)__builtin_va_arg(list, long double);
            else
                (void)__builtin_va_arg(list, double);
            int letter = c >= 'a' ? c : c + 'a' - 'A';
            position = __selvedge_put_float(buffer, size, position, letter, length == 3, width, precision);
        } else {
            /* C leaves open what this does. */
            __selvedge_rough_conversion();
            __selvedge_require_conversion(0);
        }
    }
    position = __selvedge_put_end(buffer, size, position);
    while (count > 0)
        __selvedge_put_apart(buffer, size, position, printed[--count], -1);
    return position;
}

int __selvedge_vsnprintf(char *buffer, unsigned long size, const char *format, __builtin_va_list list)
{
    return (int)__selvedge_vformat(buffer, size, format, list);
}

int __selvedge_vsprintf(char *buffer, const char *format, __builtin_va_list list)
{
    return (int)__selvedge_vformat(buffer, -1UL, format, list);
}

/* Into memory that fits, which a second pass fills. */
int __selvedge_vasprintf(char **target, const char *format, __builtin_va_list list)
{
    __builtin_va_list again;
    __builtin_va_copy(again, list);
    unsigned long size = __selvedge_vformat(0, 0, format, list) + 1;
    *target = __selvedge_malloc(size);
    int length = (int)__selvedge_vformat(*target, size, format, again);
    __builtin_va_end(again);
    return length;
}

int __selvedge_vprintf(const char *format, __builtin_va_list list)
{
    return (int)__selvedge_vformat(&__selvedge_stream_out, 0, format, list);
}

int __selvedge_vfprintf(const void *stream, const char *format, __builtin_va_list list)
{
    return (int)__selvedge_vformat(__selvedge_is_stdout(stream) ? &__selvedge_stream_out : 0, 0, format, list);
}

int __selvedge_vdprintf(int file, const char *format, __builtin_va_list list)
{
    (void)file;
    return (int)__selvedge_vformat(0, 0, format, list);
}
