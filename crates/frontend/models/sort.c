/* Sorting and searching in arrays of any element. */

void __selvedge_copy1(void *target, const void *source);

static void __selvedge_swap(char *left, char *right, unsigned long size)
{
    char held;
    for (unsigned long at = 0; at < size; at++) {
        __selvedge_copy1(&held, left + at);
        __selvedge_copy1(left + at, right + at);
        __selvedge_copy1(right + at, &held);
    }
}

/* By insertion; elements that compare equal keep their order, as in glibc. */
void __selvedge_qsort(void *array, unsigned long count, unsigned long size, int (*compare)(const void *, const void *))
{
    char *base = array;
    for (unsigned long next = 1; next < count; next++)
        for (unsigned long at = next; at > 0; at--) {
            char *right = base + at * size, *left = right - size;
            if (compare(left, right) <= 0)
                break;
            __selvedge_swap(left, right, size);
        }
}

void *__selvedge_bsearch(const void *key, const void *array, unsigned long count, unsigned long size,
                         int (*compare)(const void *, const void *))
{
    const char *base = array;
    unsigned long low = 0, high = count;
    while (low < high) {
        unsigned long middle = low + (high - low) / 2;
        const char *at = base + middle * size;
        int order = compare(key, at);
        if (order == 0)
            return (void *)at;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

/* The same with something that the comparison is given. */
void __selvedge_qsort_r(void *array, unsigned long count, unsigned long size,
                        int (*compare)(const void *, const void *, void *), void *given)
{
    char *base = array;
    for (unsigned long next = 1; next < count; next++)
        for (unsigned long at = next; at > 0; at--) {
            char *right = base + at * size, *left = right - size;
            if (compare(left, right, given) <= 0)
                break;
            __selvedge_swap(left, right, size);
        }
}

void *__selvedge_lfind(const void *key, const void *array, unsigned long *count, unsigned long size,
                       int (*compare)(const void *, const void *))
{
    const char *at = array;
    for (unsigned long left = *count; left > 0; left--, at += size)
        if (compare(key, at) == 0)
            return (void *)at;
    return 0;
}

/* What is not found is added behind the last element. */
void *__selvedge_lsearch(const void *key, void *array, unsigned long *count, unsigned long size,
                         int (*compare)(const void *, const void *))
{
    char *found = __selvedge_lfind(key, array, count, size, compare);
    if (found != 0)
        return found;
    found = (char *)array + *count * size;
    for (unsigned long at = 0; at < size; at++)
        __selvedge_copy1(found + at, (const char *)key + at);
    *count += 1;
    return found;
}

void __selvedge_swab(const char *from, char *to, long count)
{
    for (long at = 0; at + 1 < count; at += 2) {
        char even = from[at], odd = from[at + 1];
        to[at] = odd;
        to[at + 1] = even;
    }
}

struct __selvedge_link {
    struct __selvedge_link *next, *previous;
};

/* Lists whose elements begin with their neighbours. */
void __selvedge_insque(struct __selvedge_link *element, struct __selvedge_link *before)
{
    if (before == 0) {
        element->next = 0;
        element->previous = 0;
        return;
    }
    struct __selvedge_link *next = before->next;
    before->next = element;
    element->previous = before;
    element->next = next;
    if (next != 0)
        next->previous = element;
}

void __selvedge_remque(struct __selvedge_link *element)
{
    if (element->next != 0)
        element->next->previous = element->previous;
    if (element->previous != 0)
        element->previous->next = element->next;
}
