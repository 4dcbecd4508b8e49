// selvedge: assertion=unknown
// What is not known of inline assembly is told with its line.
#include <assert.h>

int main(void)
{
    int value = 1;
    __asm__ __volatile__("cpuid" : "+m"(value) : : "memory", "eax", "ebx", "ecx", "edx"); // UNKNOWN! asm
    assert(value == 1);
    return 0;
}
