// Compiler builtins.
#include <limits.h>
#include <stddef.h>

#if CASE == 0
int main(void)
{
    int sum, status = 0;
    unsigned char small;
    long long wide;
    volatile int most = INT_MAX, minus = -1;
    status += !__builtin_add_overflow(most, 1, &sum) || sum != INT_MIN;
    status += __builtin_sub_overflow(5, 6, &sum) || sum != -1;
    status += !__builtin_mul_overflow(16, 16, &small) || small != 0;
    status += __builtin_mul_overflow(most, most, &wide) || wide != 4611686014132420609;
    status += !__builtin_smul_overflow(most, 2, &sum) || !__builtin_add_overflow_p(most, 1, sum);
    unsigned long big;
    status += !__builtin_add_overflow(minus, 0ul, &big) || !__builtin_umull_overflow(-1ul, 2, &big);
    status += __builtin_clz(1) != 31 || __builtin_clzl(1) != 8 * sizeof(long) - 1 || __builtin_ctz(8) != 3 || __builtin_ctzll(1ull << 40) != 40;
    status += __builtin_popcount(0xff0) != 8 || __builtin_parity(7) != 1 || __builtin_ffs(0) != 0 || __builtin_ffs(8) != 4;
    status += __builtin_bswap32(0x01020304) != 0x04030201 || __builtin_bswap16(0x0102) != 0x0201;
    status += __builtin_clrsb(0) != 31 || __builtin_clrsb(-1) != 31 || __builtin_clrsb(1) != 30;
    status += __builtin_expect(3, 1) != 3 || __builtin_isnan(1.0) || !__builtin_isinf(__builtin_inf());
    return status + (__builtin_fabs(-2.5) != 2.5) + (__builtin_strlen("abc") != 3); // EXPECT[0]: exit 0
}
#elif CASE == 1
int main(void)
{
    volatile unsigned zero = 0;
    return __builtin_clz(zero); // EXPECT[1]: undefined BadArgument
}
#elif CASE == 2
int main(void)
{
    __builtin_unreachable(); // EXPECT[2]: undefined Unreachable
}
#elif CASE == 3
int main(void)
{
    __builtin_trap(); // EXPECT[3]: exit 134
}
#endif
