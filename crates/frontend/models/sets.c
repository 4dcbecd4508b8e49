/* Sets of signals, as Linux lays them out: a bit for each of 64 signals, the first word of a larger object. */

/* The C library's own type has 1,024 bits, of which 64 count. */
struct __selvedge_set {
    unsigned long words[128 / sizeof(unsigned long)];
};

static int __selvedge_is_signal(int number)
{
    return number >= 1 && number <= 64;
}

static unsigned long *__selvedge_word(struct __selvedge_set *set, int number)
{
    return &set->words[(unsigned)(number - 1) / (8 * sizeof(unsigned long))];
}

static unsigned long __selvedge_bit(int number)
{
    return 1UL << ((unsigned)(number - 1) % (8 * sizeof(unsigned long)));
}

int __selvedge_sigemptyset(struct __selvedge_set *set)
{
    for (unsigned at = 0; at < sizeof set->words / sizeof *set->words; at++)
        set->words[at] = 0;
    return 0;
}

/* glibc leaves out the two signals that it uses itself. */
int __selvedge_sigfillset(struct __selvedge_set *set)
{
    for (unsigned at = 0; at < sizeof set->words / sizeof *set->words; at++)
        set->words[at] = -1UL;
    *__selvedge_word(set, 32) &= ~__selvedge_bit(32);
    *__selvedge_word(set, 33) &= ~__selvedge_bit(33);
    return 0;
}

int __selvedge_sigaddset(struct __selvedge_set *set, int number)
{
    if (!__selvedge_is_signal(number))
        return -1;
    *__selvedge_word(set, number) |= __selvedge_bit(number);
    return 0;
}

int __selvedge_sigdelset(struct __selvedge_set *set, int number)
{
    if (!__selvedge_is_signal(number))
        return -1;
    *__selvedge_word(set, number) &= ~__selvedge_bit(number);
    return 0;
}

int __selvedge_sigismember(const struct __selvedge_set *set, int number)
{
    if (!__selvedge_is_signal(number))
        return -1;
    return (*__selvedge_word((struct __selvedge_set *)set, number) & __selvedge_bit(number)) != 0;
}
