/* The environment: any variables, which stay what they are as long as nobody changes one. */

void __selvedge_atomic_begin(void);
void __selvedge_atomic_end(void);
int __selvedge_nondet_int(void);
void *__selvedge_malloc(unsigned long size);
unsigned long __selvedge_any_string(char *buffer, unsigned long size);
unsigned long __selvedge_strlen(const char *s);
int __selvedge_strcmp(const char *left, const char *right);
char *__selvedge_duplicate(char *copy, const char *s, unsigned long length);

/* What is changed by one thread while another looks. */
static char __selvedge_state_of_environment;

/* What has been answered since the last change, so that the same question gets the same answer. Later ones are not kept. */
static struct {
    const char *name;
    char *value;
} __selvedge_variables[8];
static int __selvedge_variable_count;

/* Null, or a string of at most 15 characters. */
static char *__selvedge_any_variable(void)
{
    if (__selvedge_nondet_int())
        return 0;
    char *value = __selvedge_malloc(16);
    __selvedge_any_string(value, 16);
    return value;
}

static void __selvedge_look_at_environment(void)
{
    (void)*(volatile char *)&__selvedge_state_of_environment;
}

char *__selvedge_getenv_once(const char *name)
{
    __selvedge_look_at_environment();
    __selvedge_strlen(name);
    return __selvedge_any_variable();
}

char *__selvedge_getenv(const char *name)
{
    __selvedge_look_at_environment();
    unsigned long length = __selvedge_strlen(name);
    __selvedge_atomic_begin();
    int at = 0;
    while (at < __selvedge_variable_count && __selvedge_strcmp(__selvedge_variables[at].name, name) != 0)
        at++;
    char *value = at < __selvedge_variable_count ? __selvedge_variables[at].value : __selvedge_any_variable();
    if (at == __selvedge_variable_count && at < 8) {
        __selvedge_variables[at].name = __selvedge_duplicate(__selvedge_malloc(length + 1), name, length);
        __selvedge_variables[at].value = value;
        __selvedge_variable_count = at + 1;
    }
    __selvedge_atomic_end();
    return value;
}

static int __selvedge_change_environment(void)
{
    __selvedge_state_of_environment = 0;
    __selvedge_atomic_begin();
    __selvedge_variable_count = 0;
    __selvedge_atomic_end();
    return __selvedge_nondet_int() ? -1 : 0;
}

int __selvedge_setenv(const char *name, const char *value, int overwrite)
{
    (void)overwrite;
    __selvedge_strlen(name);
    __selvedge_strlen(value);
    return __selvedge_change_environment();
}

int __selvedge_unsetenv(const char *name)
{
    __selvedge_strlen(name);
    return __selvedge_change_environment();
}

int __selvedge_putenv(char *text)
{
    __selvedge_strlen(text);
    return __selvedge_change_environment();
}

int __selvedge_clearenv(void)
{
    return __selvedge_change_environment();
}
