#include <stdarg.h>

static long sum(int count, ...)
{
    va_list rest;
    long total = 0;
    va_start(rest, count);
    while (count-- > 0)
        total += va_arg(rest, long);
    va_end(rest);
    return total;
}

int main(void)
{
    return (int)sum(2, 3l, 4l);
}
