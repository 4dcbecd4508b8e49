// atexit handlers run in reverse order after main returns.
// They see the final values of globals.
#include <stdio.h>
#include <stdlib.h>
static int value = 1;
static void first(void) { printf("first %d\n", value); }
static void second(void) { printf("second %d\n", value); value = 3; }
int main(void) {
    atexit(first);
    atexit(second);
    value = 2;
    printf("main\n");
    return 5;
}
