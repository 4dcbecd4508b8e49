/* <math.h>: exact where that is easy, else any value within what the function can give. A value outside of that stands for one
   within, so that no execution is given up. */

double __selvedge_nondet_double(void);

static double __selvedge_absolute(double x)
{
    return x < 0 ? -x : x == 0 ? 0.0 : x;
}

/* A magnitude with the sign of another number; that of zero shows in its inverse. */
static double __selvedge_signed_as(double magnitude, double x)
{
    return x < 0 || (x == 0 && 1 / x < 0) ? -magnitude : magnitude;
}

/* From 2^52 on, every number is whole; this holds back infinities and what is no number, too. */
static int __selvedge_is_whole(double x)
{
    return !(__selvedge_absolute(x) < 4503599627370496.0);
}

double __selvedge_trunc(double x)
{
    if (__selvedge_is_whole(x))
        return x;
    return __selvedge_signed_as(__selvedge_absolute((double)(long long)x), x);
}

double __selvedge_floor(double x)
{
    double whole = __selvedge_trunc(x);
    return whole > x ? whole - 1 : whole;
}

double __selvedge_ceil(double x)
{
    double whole = __selvedge_trunc(x);
    return whole < x ? __selvedge_signed_as(__selvedge_absolute(whole + 1), x) : whole;
}

/* Halves go away from zero. */
double __selvedge_round(double x)
{
    double whole = __selvedge_trunc(x);
    if (__selvedge_absolute(x - whole) >= 0.5)
        whole += x < 0 ? -1 : 1;
    return whole;
}

/* Halves go to the even neighbour. */
double __selvedge_rint(double x)
{
    if (__selvedge_is_whole(x))
        return x;
    double below = __selvedge_floor(x), part = x - below;
    long long whole = (long long)below;
    if (part > 0.5 || (part == 0.5 && whole % 2 != 0))
        whole++;
    return __selvedge_signed_as(__selvedge_absolute((double)whole), x);
}

long __selvedge_lround(double x)
{
    return (long)__selvedge_round(x);
}

long __selvedge_lrint(double x)
{
    return (long)__selvedge_rint(x);
}

long long __selvedge_llround(double x)
{
    return (long long)__selvedge_round(x);
}

long long __selvedge_llrint(double x)
{
    return (long long)__selvedge_rint(x);
}

double __selvedge_modf(double x, double *whole)
{
    *whole = __selvedge_trunc(x);
    if (x != x)
        return x;
    return __selvedge_signed_as(*whole == x ? 0.0 : __selvedge_absolute(x - *whole), x);
}

/* What is no number gives way to the other argument. */
double __selvedge_fmax(double x, double y)
{
    return x != x || x < y ? y : x;
}

double __selvedge_fmin(double x, double y)
{
    return x != x || x > y ? y : x;
}

double __selvedge_fdim(double x, double y)
{
    return x <= y ? 0.0 : x - y;
}

/* By subtraction of multiples, each exact. */
double __selvedge_fmod(double x, double y)
{
    double left = __selvedge_absolute(x), divisor = __selvedge_absolute(y);
    if (!(divisor > 0) || x - x != 0)
        return (x * y) / (x * y);
    while (left >= divisor) {
        double multiple = divisor;
        while (left - multiple >= multiple)
            multiple *= 2;
        left -= multiple;
    }
    return __selvedge_signed_as(left, x);
}

/* The root of a number from 1 up to 4 bit by bit, as a whole number with 54 bits of which the last one tells how to round. */
double __selvedge_sqrt(double x)
{
    if (!(x > 0) || x - x != 0)
        return x < 0 ? (x - x) / (x - x) : x;
    double scale = 1;
    for (; x < 1; x *= 4)
        scale /= 2;
    for (; x >= 4; x /= 4)
        scale *= 2;
    unsigned __int128 square = (unsigned __int128)(x * 4503599627370496.0) << 54, root = 0;
    for (unsigned __int128 bit = (unsigned __int128)1 << 53; bit != 0; bit >>= 1)
        if ((root + bit) * (root + bit) <= square)
            root += bit;
    root += root & 1;
    return (double)(unsigned long long)(root >> 1) / 4503599627370496.0 * scale;
}

static double __selvedge_between(double low, double high)
{
    double any = __selvedge_nondet_double();
    return any >= low && any <= high ? any : low;
}

static double __selvedge_infinity(void)
{
    double large = 1.7976931348623157e308;
    return large * 10;
}

/* A function whose values lie within bounds; of what is no number or infinite, no number. */
static double __selvedge_periodic(double x, double low, double high)
{
    return x - x != 0 ? x - x : __selvedge_between(low, high);
}

double __selvedge_sin(double x)
{
    return __selvedge_periodic(x, -1, 1);
}

double __selvedge_tan(double x)
{
    return __selvedge_periodic(x, -1.7976931348623157e308, 1.7976931348623157e308);
}

/* A function for arguments from -1 to 1. */
static double __selvedge_inverse(double x, double low, double high)
{
    return x >= -1 && x <= 1 ? __selvedge_between(low, high) : (x - x) / (x - x);
}

double __selvedge_asin(double x)
{
    return __selvedge_inverse(x, -1.5707963267948968, 1.5707963267948968);
}

double __selvedge_acos(double x)
{
    return __selvedge_inverse(x, 0, 3.1415926535897936);
}

/* A function for any argument; of what is no number, no number. */
static double __selvedge_total(double x, double low, double high)
{
    return x != x ? x : __selvedge_between(low, high);
}

double __selvedge_atan(double x)
{
    return __selvedge_total(x, -1.5707963267948968, 1.5707963267948968);
}

double __selvedge_atan2(double y, double x)
{
    return __selvedge_total(x + (y != y ? y : 0), -3.1415926535897936, 3.1415926535897936);
}

double __selvedge_tanh(double x)
{
    return __selvedge_total(x, -1, 1);
}

double __selvedge_sinh(double x)
{
    double infinity = __selvedge_infinity();
    return x > 0 ? __selvedge_between(0, infinity) : __selvedge_total(x, -infinity, 0);
}

double __selvedge_cosh(double x)
{
    return __selvedge_total(x, 1, __selvedge_infinity());
}

double __selvedge_exp(double x)
{
    return x == 0 ? 1 : x < 0 ? __selvedge_between(0, 1) : __selvedge_total(x, 1, __selvedge_infinity());
}

double __selvedge_expm1(double x)
{
    return x == 0 ? x : x < 0 ? __selvedge_between(-1, 0) : __selvedge_total(x, 0, __selvedge_infinity());
}

double __selvedge_log(double x)
{
    if (x < 0)
        return (x - x) / (x - x);
    if (x == 0)
        return -__selvedge_infinity();
    if (x <= 1)
        return x == 1 ? 0.0 : __selvedge_between(-1075, 0);
    return x - x != 0 ? x : __selvedge_between(0, 1025);
}

double __selvedge_log1p(double x)
{
    return __selvedge_log(1 + x);
}

double __selvedge_cbrt(double x)
{
    if (x == 0 || x - x != 0)
        return x;
    return x > 0 ? __selvedge_between(0, 6e102) : __selvedge_between(-6e102, 0);
}

double __selvedge_hypot(double x, double y)
{
    double low = __selvedge_fmax(__selvedge_absolute(x), __selvedge_absolute(y));
    return x == x && y == y ? __selvedge_between(low, __selvedge_infinity()) : __selvedge_nondet_double();
}

double __selvedge_pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (y == 1)
        return x;
    if (y == 2)
        return x * x;
    return x >= 0 && y == y ? __selvedge_between(0, __selvedge_infinity()) : __selvedge_nondet_double();
}
