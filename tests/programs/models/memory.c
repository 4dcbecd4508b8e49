// Allocation and copying.
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct node { struct node *next; int value; };

#if CASE == 0
int main(void)
{
    struct node *a = malloc(sizeof *a), *b = calloc(1, sizeof *b);
    if (b->next != 0 || b->value != 0)
        return 1;
    a->next = b;
    a->value = 3;
    // Pointers survive being copied, whole and byte by byte.
    memcpy(b, a, sizeof *a);
    if (b->next != b || b->value != 3)
        return 2;
    struct node many[8], moved[8];
    for (int i = 0; i < 8; i++)
        many[i].next = &many[i], many[i].value = i;
    memcpy(moved, many, sizeof many);
    if (moved[7].next != &many[7] || moved[7].value != 7)
        return 3;
    memmove(many + 1, many, 7 * sizeof *many);
    if (many[7].next != &many[6] || many[1].value != 0)
        return 4;
    a = realloc(a, 2 * sizeof *a);
    if (a->next != b || malloc_usable_size(a) < sizeof *a)
        return 5;
    free(a);
    free(b);
    free(0);
    return 0; // EXPECT[0]: exit 0
}
#elif CASE == 1
int main(void)
{
    int *p = malloc(sizeof *p);
    free(p);
    free(p); // EXPECT[1]: undefined DoubleFree
}
#elif CASE == 2
int main(void)
{
    int *p = malloc(sizeof *p);
    int *q = realloc(p, 8);
    return *p + *q; // EXPECT[2]: undefined UseAfterFree
}
#elif CASE == 3
int main(void)
{
    char small[4], big[8] = { 0 };
    memcpy(small, big, sizeof big); // EXPECT[3]: undefined OutOfBounds
    return small[0];
}
#elif CASE == 4
int main(void)
{
    size_t half = SIZE_MAX / 2;
    volatile size_t three = 3;
    return calloc(half, three) == 0; // EXPECT[4]: exit 1
}
#elif CASE == 5
int main(void)
{
    volatile unsigned length = 100;
    char *p = malloc(length);
    memset(p, 0x5a, length);
    int wrong = 0;
    for (unsigned i = 0; i < length; i++)
        wrong += p[i] != 0x5a;
    memset(p, 1, length + 1); // EXPECT[5]: undefined OutOfBounds
    return wrong;
}
#elif CASE == 6
static char *keep;
static void grow(void)
{
    keep = alloca(8);
    keep[0] = 1;
}
int main(void)
{
    grow();
    return keep[0]; // EXPECT[6]: undefined UseAfterReturn
}
#elif CASE == 7
int main(void)
{
    void *p;
    char *line = aligned_alloc(64, 128);
    if (posix_memalign(&p, 256, 10) != 0 || (uintptr_t)p % 256 != 0 || (uintptr_t)line % 64 != 0)
        return 1;
    int *array = reallocarray(0, 10, sizeof *array);
    array[9] = 4;
    return array[9]; // EXPECT[7]: exit 4
}
#elif CASE == 8
int main(void)
{
    int local;
    free(&local); // EXPECT[8]: undefined InvalidFree
}
#elif CASE == 9
// Indeterminate bytes may be copied, and are any value when they are used.
int main(void)
{
    int a, b;
    memcpy(&b, &a, sizeof a);
    return b == 0 ? 0 : 1; // EXPECT[9]: exit 0 | exit 1
}
#elif CASE == 10
int main(void)
{
    char *p = malloc(4);
    memcpy(p, "abc", 4);
    p = realloc(p, 0);
    return p == 0; // EXPECT[10]: exit 1
}
#elif CASE == 11
int main(void)
{
    char text[] = "needle in hay";
    int status = memchr(text, 'i', sizeof text) != text + 7;
    status += memrchr(text, 'e', sizeof text) != text + 5;
    status += memcmp(text, "needle", 6) != 0 || memcmp(text, "needles", 7) >= 0;
    status += mempcpy(text, "xy", 2) != text + 2 || text[1] != 'y';
    status += memmem(text, sizeof text, "in", 2) != text + 7;
    bzero(text, 3);
    return status + text[2]; // EXPECT[11]: exit 0
}
#endif
