// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A jump out of functions that the library or the program calls through a pointer, and to `longjmp` by a pointer.
#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf back;
static void (*go)(jmp_buf, int) = (void (*)(jmp_buf, int))longjmp;

static int compare(const void *key, const void *element)
{
    if (*(const int *)element == 5)
        go(back, 2);
    return *(const int *)key - *(const int *)element;
}

static void each(int times, void (*visit)(int))
{
    for (int at = 0; at < times; at++)
        visit(at);
}

static void visit(int at)
{
    if (at == 2)
        longjmp(back, 3);
}

int main(void)
{
    int numbers[] = {1, 3, 5}, key = 3, other = 9;
    assert(bsearch(&key, numbers, 3, sizeof *numbers, compare) == &numbers[1]);
    int value = setjmp(back);
    if (value == 0)
        bsearch(&other, numbers, 3, sizeof *numbers, compare);
    if (value == 2)
        each(5, visit);
    assert(value == 3);
    return 0;
}
