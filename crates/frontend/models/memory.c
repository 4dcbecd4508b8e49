/* Memory: copying, comparing, searching. Copies move bytes as they are: pointers and indeterminate bytes survive. */

void __selvedge_copy1(void *target, const void *source);
void __selvedge_copy8(void *target, const void *source);
void __selvedge_fill8(void *target, int byte);
unsigned long __selvedge_object_size(const void *pointer);
void __selvedge_free(void *pointer);

void __selvedge_require_apart(int condition);

int __selvedge_lock_in_use1(const void *at);
int __selvedge_lock_in_use8(const void *at);
void __selvedge_bury_lock1(void *at);
void __selvedge_bury_lock8(void *at);
void __selvedge_change_lock(void *at);

/* Whether a lock that is in use begins in some bytes. */
int __selvedge_locks_in_use(const char *at, unsigned long size)
{
    for (; size >= 8; size -= 8, at += 8)
        if (__selvedge_lock_in_use8(at))
            return 1;
    for (; size > 0; size--, at++)
        if (__selvedge_lock_in_use1(at))
            return 1;
    return 0;
}

/* Every lock among some bytes becomes one that nobody has used. */
int __selvedge_bury_locks(char *at, unsigned long size)
{
    for (; size >= 8; size -= 8, at += 8)
        __selvedge_bury_lock8(at);
    for (; size > 0; size--, at++)
        __selvedge_bury_lock1(at);
    return 0;
}

/* What a function that nobody knows may do with the locks in an object. */
int __selvedge_change_locks(char *at, unsigned long size)
{
    for (; size >= 4; size -= 4, at += 4)
        __selvedge_change_lock(at);
    return 0;
}

static void __selvedge_copy(char *to, const char *from, unsigned long size)
{
    for (; size >= 8; size -= 8, to += 8, from += 8)
        __selvedge_copy8(to, from);
    for (; size > 0; size--)
        __selvedge_copy1(to++, from++);
}

/* Whether one of eight bytes from `at` on is the first of an array. Pointers into different objects cannot be ordered, but they
   can be told apart. */
static int __selvedge_meets8(const char *at, const char *array)
{
    return (at == array) | (at + 1 == array) | (at + 2 == array) | (at + 3 == array) | (at + 4 == array) |
           (at + 5 == array) | (at + 6 == array) | (at + 7 == array);
}

/* The areas must not overlap, but for being the same, which is harmless and common. */
void *__selvedge_memcpy(void *target, const void *source, unsigned long size)
{
    char *to = target;
    const char *from = source;
    if (to == from) {
        __selvedge_copy(to, from, size);
        return target;
    }
    for (; size >= 8; size -= 8, to += 8, from += 8) {
        __selvedge_require_apart(!__selvedge_meets8(to, source) & !__selvedge_meets8(from, target));
        __selvedge_copy8(to, from);
    }
    for (; size > 0; size--) {
        __selvedge_require_apart((to != source) & (from != target));
        __selvedge_copy1(to++, from++);
    }
    return target;
}

void *__selvedge_mempcpy(void *target, const void *source, unsigned long size)
{
    return (char *)__selvedge_memcpy(target, source, size) + size;
}

/* Whether a pointer is one of the bytes of an array after its first: then a copy to it must begin at the end. */
static int __selvedge_is_within(const char *pointer, const char *array, unsigned long size)
{
    for (unsigned long at = 1; at < size; at++)
        if (array + at == pointer)
            return 1;
    return 0;
}

void *__selvedge_memmove(void *target, const void *source, unsigned long size)
{
    if (!__selvedge_is_within(target, source, size)) {
        __selvedge_copy(target, source, size);
        return target;
    }
    char *to = target;
    const char *from = source;
    while (size-- > 0)
        __selvedge_copy1(to + size, from + size);
    return target;
}

void __selvedge_bcopy(const void *source, void *target, unsigned long size)
{
    __selvedge_memmove(target, source, size);
}

void *__selvedge_memset(void *target, int byte, unsigned long size)
{
    char *to = target;
    for (; size >= 8; size -= 8, to += 8)
        __selvedge_fill8(to, byte);
    for (; size > 0; size--)
        *to++ = (char)byte;
    return target;
}

/* `rep stos`: so many elements of a number of bytes each. */
void __selvedge_store_string(void *target, unsigned long value, unsigned long count, unsigned long each)
{
    if (value == 0) {
        __selvedge_memset(target, 0, count * each);
        return;
    }
    char *to = target;
    for (unsigned long at = 0; at < count * each; at++)
        to[at] = (char)(value >> 8 * (at % each));
}

void __selvedge_bzero(void *target, unsigned long size)
{
    __selvedge_memset(target, 0, size);
}

/* The end of `realloc`: the new object is there already. */
void *__selvedge_reallocate(void *old, void *new, unsigned long size)
{
    if (old == 0)
        return new;
    if (size == 0) {
        __selvedge_free(new);
        __selvedge_free(old);
        return 0;
    }
    unsigned long had = __selvedge_object_size(old);
    __selvedge_memcpy(new, old, had < size ? had : size);
    __selvedge_free(old);
    return new;
}

int __selvedge_memcmp(const void *left, const void *right, unsigned long size)
{
    const unsigned char *a = left, *b = right;
    for (; size > 0; size--, a++, b++) {
        int x = *a, y = *b;
        if (x != y)
            return x - y;
    }
    return 0;
}

void *__selvedge_memchr(const void *array, int byte, unsigned long size)
{
    const unsigned char *at = array;
    for (; size > 0; size--, at++)
        if (*at == (unsigned char)byte)
            return (void *)at;
    return 0;
}

void *__selvedge_memrchr(const void *array, int byte, unsigned long size)
{
    const unsigned char *at = array;
    while (size-- > 0)
        if (at[size] == (unsigned char)byte)
            return (void *)(at + size);
    return 0;
}

void *__selvedge_rawmemchr(const void *array, int byte)
{
    const unsigned char *at = array;
    while (*at != (unsigned char)byte)
        at++;
    return (void *)at;
}

void *__selvedge_memccpy(void *target, const void *source, int byte, unsigned long size)
{
    unsigned char *to = target;
    const unsigned char *from = source;
    for (; size > 0; size--) {
        __selvedge_require_apart((target == source) | ((to != source) & (from != target)));
        unsigned char moved = *from++;
        *to++ = moved;
        if (moved == (unsigned char)byte)
            return to;
    }
    return 0;
}

void *__selvedge_memmem(const void *array, unsigned long size, const void *wanted, unsigned long length)
{
    const char *at = array;
    for (; size >= length; size--, at++)
        if (__selvedge_memcmp(at, wanted, length) == 0)
            return (void *)at;
    return 0;
}

void __selvedge_part_of_a_mapping(void);
void __selvedge_perhaps_freed(void);
unsigned long __selvedge_any_bytes(char *buffer, unsigned long count);
int __selvedge_nondet_int(void);

static unsigned long __selvedge_pages(unsigned long size)
{
    return (size + 4095) / 4096;
}

/* Of what `mmap` gave, as a whole. Of a part, the bytes are any from now on, and who uses them is perhaps undefined. */
int __selvedge_munmap(void *pointer, unsigned long size)
{
    if (__selvedge_pages(__selvedge_object_size(pointer)) != __selvedge_pages(size)) {
        __selvedge_part_of_a_mapping();
        __selvedge_perhaps_freed();
        __selvedge_any_bytes(pointer, size);
        return __selvedge_nondet_int() ? -1 : 0;
    }
    __selvedge_free(pointer);
    return 0;
}
