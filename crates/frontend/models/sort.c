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
