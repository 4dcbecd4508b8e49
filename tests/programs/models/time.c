// Clocks do not go back, each for itself; the environment stays what it is.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#if CASE == 0
int main(void)
{
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    clock_gettime(CLOCK_MONOTONIC, &b);
    return b.tv_sec < a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec < a.tv_nsec) || a.tv_sec < 0; // EXPECT[0]: exit 0
}
#elif CASE == 1
int main(void)
{
    struct timeval a, b;
    gettimeofday(&a, 0);
    gettimeofday(&b, 0);
    time_t c = time(0), d = time(&c);
    if (b.tv_sec < a.tv_sec || a.tv_usec >= 1000000 || c != d || difftime(d, c) != 0)
        return 1;
    clock_t e = clock();
    return clock() < e; // EXPECT[1]: exit 0
}
#elif CASE == 2
int main(void)
{
    struct timespec a, b;
    clock_gettime(CLOCK_REALTIME, &a);
    clock_gettime(CLOCK_MONOTONIC, &b);
    return b.tv_sec < a.tv_sec; // EXPECT[2]: exit 0 | exit 1
}
#elif CASE == 3
int main(void)
{
    char name[] = "HOME", *a = getenv("HOME"), *b = getenv(name);
    if (a != b)
        return 1;
    setenv("HOME", "", 1);
    return getenv("HOME") == 0 ? 2 : 0; // EXPECT[3]: exit 0 | exit 2
}
#endif
