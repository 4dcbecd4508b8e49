/* Clocks that do not go back, and calendar time. Numbers that a clock cannot show stand for what it showed last, so that no
   execution is given up. */

void __selvedge_atomic_begin(void);
void __selvedge_atomic_end(void);
int __selvedge_nondet_int(void);
long __selvedge_nondet_long(void);
unsigned __selvedge_nondet_unsigned(void);
unsigned short __selvedge_nondet_unsigned_short(void);

struct __selvedge_reading {
    long seconds, fraction;
};

/* What each clock showed last: those of `clock_gettime` by number, those of other functions after them. */
static struct __selvedge_reading __selvedge_clocks[15];
static _Thread_local struct __selvedge_reading __selvedge_clock_of_thread;

/* Any number that is not negative, made of two halves: what is made of parts is no address. */
static long __selvedge_any_time(void)
{
    if (sizeof(long) == 4) {
        unsigned long high = __selvedge_nondet_unsigned_short(), low = __selvedge_nondet_unsigned_short();
        return (long)((high & 0x7fff) << 16 | low);
    }
    unsigned long long high = __selvedge_nondet_unsigned(), low = __selvedge_nondet_unsigned();
    return (long)((high & 0x7fffffff) << 32 | low);
}

static struct __selvedge_reading __selvedge_advance(struct __selvedge_reading *clock, long parts)
{
    struct __selvedge_reading now;
    now.seconds = __selvedge_any_time();
    now.fraction = __selvedge_any_time();
    __selvedge_atomic_begin();
    if (now.seconds < clock->seconds)
        now.seconds = clock->seconds;
    if (now.fraction >= parts)
        now.fraction = 0;
    if (now.seconds == clock->seconds && now.fraction < clock->fraction)
        now.fraction = clock->fraction;
    clock->seconds = now.seconds;
    clock->fraction = now.fraction;
    __selvedge_atomic_end();
    return now;
}

/* A clock of which we know nothing but that it shows a time. */
static struct __selvedge_reading __selvedge_any_reading(long parts)
{
    struct __selvedge_reading none = {0, 0};
    return __selvedge_advance(&none, parts);
}

int __selvedge_clock_gettime(int clock, long *time)
{
    struct __selvedge_reading now;
    if (clock == 3)
        now = __selvedge_advance(&__selvedge_clock_of_thread, 1000000000);
    else if (clock >= 0 && clock < 12)
        now = __selvedge_advance(&__selvedge_clocks[clock], 1000000000);
    else
        now = __selvedge_any_reading(1000000000);
    time[0] = now.seconds;
    time[1] = now.fraction;
    return 0;
}

int __selvedge_clock_getres(int clock, long *time)
{
    (void)clock;
    if (time != 0) {
        struct __selvedge_reading any = __selvedge_any_reading(1000000000);
        time[0] = any.seconds;
        time[1] = any.fraction;
    }
    return 0;
}

int __selvedge_timespec_get(long *time, int base)
{
    __selvedge_clock_gettime(0, time);
    return base;
}

int __selvedge_gettimeofday(long *time)
{
    if (time != 0) {
        struct __selvedge_reading now = __selvedge_advance(&__selvedge_clocks[12], 1000000);
        time[0] = now.seconds;
        time[1] = now.fraction;
    }
    return 0;
}

long __selvedge_time(long *time)
{
    long now = __selvedge_advance(&__selvedge_clocks[13], 1).seconds;
    if (time != 0)
        *time = now;
    return now;
}

long __selvedge_clock(void)
{
    return __selvedge_advance(&__selvedge_clocks[14], 1).seconds;
}

double __selvedge_difftime(long later, long earlier)
{
    if (later < earlier)
        return -(double)((unsigned long)earlier - (unsigned long)later);
    return (double)((unsigned long)later - (unsigned long)earlier);
}

struct __selvedge_tm {
    int second, minute, hour, day, month, year, weekday, yearday, is_dst;
    long offset;
    const char *zone;
};

static int __selvedge_below(int limit)
{
    int any = __selvedge_nondet_int();
    return any >= 0 && any < limit ? any : 0;
}

void *__selvedge_localtime_r(const long *time, struct __selvedge_tm *result)
{
    (void)*(volatile const long *)time;
    result->second = __selvedge_below(61);
    result->minute = __selvedge_below(60);
    result->hour = __selvedge_below(24);
    result->day = __selvedge_below(31) + 1;
    result->month = __selvedge_below(12);
    result->year = __selvedge_nondet_int();
    result->weekday = __selvedge_below(7);
    result->yearday = __selvedge_below(366);
    result->is_dst = __selvedge_below(3) - 1;
    result->offset = __selvedge_below(172801) - 86400;
    result->zone = "";
    return result;
}

static struct __selvedge_tm __selvedge_state_of_localtime;

void *__selvedge_localtime(const long *time)
{
    return __selvedge_localtime_r(time, &__selvedge_state_of_localtime);
}
