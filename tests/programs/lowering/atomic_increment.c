#include <stdatomic.h>

_Atomic short small;
atomic_int number;

int main(void)
{
    small++;
    number += 2;
    return atomic_fetch_add(&number, 1);
}
