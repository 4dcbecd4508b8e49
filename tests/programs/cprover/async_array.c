// Arrays and structs are copied whole.
#include <assert.h>

struct pair {
    int left, right;
};

int main(void)
{
    int numbers[3] = {1, 2, 3};
    struct pair pair = {4, 5};
__CPROVER_ASYNC_1: {
        assert(numbers[0] + numbers[1] + numbers[2] == 6);
        assert(pair.left == 4 && pair.right == 5);
        numbers[1] = 7; // NORACE
        pair.left = 8;  // NORACE
    }
    numbers[2] = 9;  // NORACE
    pair.right = 10; // NORACE
    assert(numbers[1] == 2 && pair.left == 4);
    return 0;
}
