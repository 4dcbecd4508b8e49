/* Options of the command line, as POSIX and GNU have them. What is no option is moved behind the options as soon as it is
   passed, where the library does that by and by: in the end, the order is the same. Messages are not printed. */

int __selvedge_strncmp(const char *left, const char *right, unsigned long count);

char *optarg;
int optind = 1, opterr = 1, optopt;

/* The rest of an argument of which some options have been told. */
static char *__selvedge_more_options;

/* How many arguments that are no options lie between an option and what came after it. */
static int __selvedge_passed_over;

struct __selvedge_option {
    const char *name;
    int has_argument;
    int *flag;
    int value;
};

/* With "-" first among the options, what is none is told as well, in its turn. */
static int __selvedge_is_told(int count, char *const *arguments, const char *options)
{
    if (optind == 0)
        optind = 1;
    if (options[0] != '-' || optind >= count || arguments[optind] == 0)
        return 0;
    if (arguments[optind][0] == '-' && arguments[optind][1] != 0)
        return 0;
    optarg = arguments[optind++];
    return 1;
}

/* Brings an argument to where the next one is, and passes it. */
static char *__selvedge_move_ahead(char **list, int at)
{
    char *moved = list[at];
    for (; at > optind; at--)
        list[at] = list[at - 1];
    list[optind] = moved;
    optind++;
    return moved;
}

/* Brings the next option to where the next argument is; zero if there are no more. */
static int __selvedge_next_option(int count, char *const *arguments, const char *options)
{
    char **list = (char **)arguments;
    int at = optind;
    while (at < count && list[at] != 0 && (list[at][0] != '-' || list[at][1] == 0)) {
        if (options[0] == '+')
            return 0;
        at++;
    }
    if (at >= count || list[at] == 0)
        return 0;
    __selvedge_passed_over = at - optind;
    char *option = __selvedge_move_ahead(list, at);
    return !(option[1] == '-' && option[2] == 0);
}

/* The argument of an option that stands beside it. */
static int __selvedge_argument_beside(int count, char *const *arguments)
{
    int at = optind + __selvedge_passed_over;
    if (at >= count)
        return 0;
    optarg = __selvedge_move_ahead((char **)arguments, at);
    return 1;
}

static int __selvedge_missing(const char *options)
{
    if (options[0] == '+' || options[0] == '-')
        options++;
    return options[0] == ':' ? ':' : '?';
}

static int __selvedge_short_option(int count, char *const *arguments, const char *options)
{
    char letter = *__selvedge_more_options++;
    const char *known = options + (options[0] == '+' || options[0] == '-');
    while (*known != 0 && (*known != letter || letter == ':'))
        known++;
    optopt = letter;
    if (*known == 0)
        return '?';
    if (known[1] != ':')
        return letter;
    if (*__selvedge_more_options != 0)
        optarg = __selvedge_more_options;
    else if (known[2] != ':' && !__selvedge_argument_beside(count, arguments)) {
        __selvedge_more_options = 0;
        return __selvedge_missing(options);
    }
    __selvedge_more_options = 0;
    return letter;
}

int __selvedge_getopt(int count, char *const *arguments, const char *options)
{
    optarg = 0;
    if (__selvedge_more_options == 0 || *__selvedge_more_options == 0) {
        __selvedge_more_options = 0;
        if (__selvedge_is_told(count, arguments, options))
            return 1;
        if (!__selvedge_next_option(count, arguments, options))
            return -1;
        __selvedge_more_options = arguments[optind - 1] + 1;
    }
    return __selvedge_short_option(count, arguments, options);
}

/* The option of a name, which may be the beginning of one alone; -1 if there is none, or several. */
static int __selvedge_long_option(const struct __selvedge_option *known, const char *name, unsigned long length)
{
    int found = -1;
    for (int at = 0; known[at].name != 0; at++) {
        if (__selvedge_strncmp(known[at].name, name, length) != 0)
            continue;
        if (known[at].name[length] == 0)
            return at;
        found = found == -1 ? at : -2;
    }
    return found < 0 ? -1 : found;
}

static int __selvedge_getopt_of(int count, char *const *arguments, const char *options,
                                const struct __selvedge_option *known, int *index, int is_only)
{
    optarg = 0;
    if (__selvedge_more_options != 0 && *__selvedge_more_options != 0)
        return __selvedge_short_option(count, arguments, options);
    __selvedge_more_options = 0;
    if (__selvedge_is_told(count, arguments, options))
        return 1;
    if (!__selvedge_next_option(count, arguments, options))
        return -1;
    char *option = arguments[optind - 1];
    int is_long = option[1] == '-';
    char *name = option + 1 + is_long;
    unsigned long length = 0;
    while (name[length] != 0 && name[length] != '=')
        length++;
    int at = is_long || is_only ? __selvedge_long_option(known, name, length) : -1;
    if (at < 0 && is_long) {
        optopt = 0;
        return '?';
    }
    if (at < 0) {
        __selvedge_more_options = option + 1;
        return __selvedge_short_option(count, arguments, options);
    }
    if (index != 0)
        *index = at;
    optopt = known[at].value;
    if (name[length] == '=') {
        if (known[at].has_argument == 0)
            return '?';
        optarg = name + length + 1;
    } else if (known[at].has_argument == 1 && !__selvedge_argument_beside(count, arguments)) {
        return __selvedge_missing(options);
    }
    if (known[at].flag == 0)
        return known[at].value;
    *known[at].flag = known[at].value;
    return 0;
}

int __selvedge_getopt_long(int count, char *const *arguments, const char *options,
                           const struct __selvedge_option *known, int *index)
{
    return __selvedge_getopt_of(count, arguments, options, known, index, 0);
}

int __selvedge_getopt_long_only(int count, char *const *arguments, const char *options,
                                const struct __selvedge_option *known, int *index)
{
    return __selvedge_getopt_of(count, arguments, options, known, index, 1);
}
