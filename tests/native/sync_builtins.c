// __sync_* builtins in one thread: both the old-value and the new-value families.
// Different widths, bool and value compare-and-swap, lock test and set.
#include <stdio.h>
int main(void) {
    int x = 10;
    printf("%d ", __sync_fetch_and_add(&x, 5));
    printf("%d ", __sync_fetch_and_sub(&x, 3));
    printf("%d ", __sync_fetch_and_or(&x, 1));
    printf("%d ", __sync_fetch_and_and(&x, 0xe));
    printf("%d ", __sync_fetch_and_xor(&x, 5));
    printf("%d ", __sync_fetch_and_nand(&x, 6));
    printf("%d\n", x);
    x = 100;
    printf("%d ", __sync_add_and_fetch(&x, 1));
    printf("%d ", __sync_sub_and_fetch(&x, 2));
    printf("%d ", __sync_or_and_fetch(&x, 16));
    printf("%d ", __sync_and_and_fetch(&x, 0x3f));
    printf("%d\n", __sync_xor_and_fetch(&x, 0xff));
    printf("%d ", __sync_bool_compare_and_swap(&x, 1, 2));
    printf("%d ", __sync_val_compare_and_swap(&x, x, 50));
    printf("%d ", __sync_bool_compare_and_swap(&x, 50, 60));
    printf("%d\n", x);
    unsigned char c = 250;
    __sync_fetch_and_add(&c, 10);
    printf("%d\n", c);
    long l = 1;
    __sync_fetch_and_add(&l, 1L << 40);
    printf("%ld\n", l);
    int lock = 0;
    printf("%d ", __sync_lock_test_and_set(&lock, 1));
    printf("%d ", __sync_lock_test_and_set(&lock, 1));
    __sync_lock_release(&lock);
    printf("%d\n", lock);
    __sync_synchronize();
    int a[2] = {3, 4}, *p = a;
    printf("%d\n", __sync_bool_compare_and_swap(&p, a, a + 1));
    printf("%d\n", *p);
    return 0;
}
