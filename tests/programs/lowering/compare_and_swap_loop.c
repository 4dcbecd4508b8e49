#include <stdatomic.h>

atomic_uint value;

int main(void)
{
    unsigned old = atomic_load_explicit(&value, memory_order_relaxed);
    while (!atomic_compare_exchange_weak(&value, &old, old * 2 + 1)) {
    }
    return (int)value;
}
