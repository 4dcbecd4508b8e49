// Functions with the constructor attribute run before main, by priority.
// A destructor runs after it.
#include <stdio.h>
static int log_value;
__attribute__((constructor(102))) static void second(void) { log_value = log_value * 10 + 2; }
__attribute__((constructor(101))) static void first(void) { log_value = log_value * 10 + 1; }
__attribute__((destructor)) static void last(void) { printf("bye %d\n", log_value); }
int main(void) {
    printf("%d\n", log_value);
    log_value = 9;
    return 0;
}
