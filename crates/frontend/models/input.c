/* Input: any bytes, as many as there is room for. Numbers outside of what a function can answer stand for one that it can, so
   that no execution is given up. */

int __selvedge_nondet_int(void);
char __selvedge_nondet_char(void);
void __selvedge_output(int character);
int __selvedge_is_stdout(const void *stream);
int __selvedge_use_stream(const void *stream);
void *__selvedge_malloc(unsigned long size);
int __selvedge_fclose(void *stream);
unsigned long __selvedge_strlen(const char *s);

void __selvedge_any1(void *target);
void __selvedge_look1(const void *source);

/* Fills a buffer with any bytes: of a short one they are chosen at once, of a longer one when they are first read. */
unsigned long __selvedge_any_bytes(char *buffer, unsigned long count)
{
    if (count <= 8)
        for (unsigned long at = 0; at < count; at++)
            buffer[at] = __selvedge_nondet_char();
    else
        for (unsigned long at = 0; at < count; at++)
            __selvedge_any1(buffer + at);
    return count;
}

/* Fills a buffer with any string, if there is room for one. */
unsigned long __selvedge_any_text(char *buffer, unsigned long size)
{
    if (size == 0)
        return 0;
    for (unsigned long at = 0; at < size - 1; at++)
        __selvedge_any1(buffer + at);
    buffer[size - 1] = 0;
    return size;
}

/* Reads bytes, for their being readable only. */
unsigned long __selvedge_look_at(const char *bytes, unsigned long count)
{
    for (unsigned long at = 0; at < count; at++)
        __selvedge_look1(bytes + at);
    return count;
}

/* Reads one character of a text in which those above 127 may have several bytes. */
unsigned long __selvedge_look_at_character(const char *bytes, unsigned long most)
{
    unsigned long at = 0;
    while (at < most && at < 16 && (unsigned char)bytes[at] > 127)
        at++;
    return at;
}

unsigned long __selvedge_wide_length(const int *text)
{
    unsigned long length = 0;
    while (text[length] != 0)
        length++;
    return length;
}

/* Fills a buffer of a size above zero with any string; its length. */
unsigned long __selvedge_any_string(char *buffer, unsigned long size)
{
    unsigned long at = 0;
    for (; at < size - 1; at++) {
        char c = __selvedge_nondet_char();
        if (c == 0)
            break;
        buffer[at] = c;
    }
    buffer[at] = 0;
    return at;
}

int __selvedge_getname(unsigned long thread, char *buffer, unsigned long size)
{
    (void)thread;
    if (size < 16)
        return 34;
    __selvedge_any_string(buffer, 16);
    return 0;
}

int __selvedge_setname(unsigned long thread, const char *name)
{
    (void)thread;
    return __selvedge_strlen(name) > 15 ? 34 : 0;
}

int __selvedge_getchar(void)
{
    int c = __selvedge_nondet_int();
    return c >= 0 && c <= 255 ? c : -1;
}

int __selvedge_fgetc(void *stream)
{
    __selvedge_use_stream(stream);
    return __selvedge_getchar();
}

int __selvedge_ungetc(int c, void *stream)
{
    __selvedge_use_stream(stream);
    return c == -1 ? -1 : (unsigned char)c;
}

char *__selvedge_fgets(char *buffer, int size, void *stream)
{
    __selvedge_use_stream(stream);
    if (size <= 0 || __selvedge_nondet_int())
        return 0;
    __selvedge_any_string(buffer, (unsigned long)size);
    return buffer;
}

void *__selvedge_realloc(void *pointer, unsigned long size);

/* A line of at most 15 characters, into memory that is made to fit. */
long __selvedge_getline(char **line, unsigned long *size, void *stream)
{
    __selvedge_use_stream(stream);
    if (*line == 0 || *size < 16) {
        *line = __selvedge_realloc(*line, 16);
        *size = 16;
    }
    if (__selvedge_nondet_int())
        return -1;
    unsigned long length = __selvedge_any_string(*line, 16);
    if (length == 0) {
        (*line)[0] = '\n';
        (*line)[1] = 0;
        length = 1;
    }
    return (long)length;
}

unsigned long __selvedge_fread(void *buffer, unsigned long size, unsigned long count, void *stream)
{
    __selvedge_use_stream(stream);
    unsigned long read = (unsigned long)__selvedge_nondet_int();
    if (read > count)
        read = count;
    __selvedge_any_bytes(buffer, read * size);
    return read;
}

unsigned long __selvedge_fwrite(const void *buffer, unsigned long size, unsigned long count, void *stream)
{
    const char *at = buffer;
    int is_shown = __selvedge_is_stdout(stream);
    for (unsigned long left = size * count; left > 0; left--, at++) {
        char c = *at;
        if (is_shown)
            __selvedge_output(c);
    }
    return size == 0 ? 0 : count;
}

long __selvedge_read(int file, void *buffer, unsigned long count)
{
    (void)file;
    int read = __selvedge_nondet_int();
    if (read < 0 || (unsigned long)read > count)
        return -1;
    if (read > 0)
        __selvedge_any_bytes(buffer, (unsigned long)read);
    return read;
}

long __selvedge_write(int file, const void *buffer, unsigned long count)
{
    (void)file;
    __selvedge_look_at(buffer, count);
    int written = __selvedge_nondet_int();
    return written < 0 || (unsigned long)written > count ? -1 : written;
}

/* A stream is an object of its own, which `fclose` frees. */
void *__selvedge_fdopen(void)
{
    return __selvedge_nondet_int() ? (void *)0 : __selvedge_malloc(1);
}

void *__selvedge_fopen(const char *name, const char *mode)
{
    __selvedge_strlen(name);
    __selvedge_strlen(mode);
    return __selvedge_fdopen();
}

/* The same stream from now on; where it fails, the stream is closed. */
void *__selvedge_freopen(const char *name, const char *mode, void *stream)
{
    if (name != 0)
        __selvedge_strlen(name);
    __selvedge_strlen(mode);
    if (__selvedge_nondet_int()) {
        __selvedge_fclose(stream);
        return 0;
    }
    __selvedge_use_stream(stream);
    return stream;
}

/* Streams that nobody keeps other threads from: two at once race. */
static void __selvedge_own_stream(void *stream)
{
    *(volatile char *)stream = 0;
}

int __selvedge_fgetc_unlocked(void *stream)
{
    __selvedge_own_stream(stream);
    return __selvedge_getchar();
}

char *__selvedge_fgets_unlocked(char *buffer, int size, void *stream)
{
    __selvedge_own_stream(stream);
    return __selvedge_fgets(buffer, size, stream);
}

unsigned long __selvedge_fread_unlocked(void *buffer, unsigned long size, unsigned long count, void *stream)
{
    __selvedge_own_stream(stream);
    return __selvedge_fread(buffer, size, count, stream);
}

unsigned long __selvedge_fwrite_unlocked(const void *buffer, unsigned long size, unsigned long count, void *stream)
{
    __selvedge_own_stream(stream);
    return __selvedge_fwrite(buffer, size, count, stream);
}

/* As `getline`, with another end of lines. */
long __selvedge_getdelim(char **line, unsigned long *size, int end, void *stream)
{
    long length = __selvedge_getline(line, size, stream);
    if (length == 1 && (*line)[0] == '\n')
        (*line)[0] = (char)end;
    return length;
}

/* An entry of a directory, whose length says where it ends: its name, from a place on, ends within it. The length stands just
   before the type, which has a byte before the name. */
int __selvedge_end_entry(char *entry, unsigned long name)
{
    unsigned long length = (unsigned long)__selvedge_nondet_int();
    if (length <= name || length > name + 256)
        length = name + 256;
    *(unsigned short *)(entry + name - 3) = (unsigned short)length;
    entry[length - 1] = 0;
    return 0;
}
