// Constructors and destructors: by priority, else in the order of their definitions, and that reversed.
#include <stdio.h>
#include <stdlib.h>

static int count;
static void last(void) __attribute__((destructor(101)));
__attribute__((constructor)) static void plain(void) { printf("plain %d\n", ++count); }
__attribute__((constructor)) void second(void) { printf("second %d\n", ++count); }
__attribute__((constructor(201))) static int later(void) { printf("later %d\n", ++count); return 7; }
__attribute__((__constructor__(101))) static void first(void) { printf("first %d\n", ++count); }
__attribute__((destructor)) static void end(void) { printf("end %d\n", ++count); }
__attribute__((constructor(300), destructor(300))) static void both(void) { printf("both %d\n", ++count); }
__attribute__((destructor)) static void end_too(void) { printf("end too %d\n", ++count); }
static void last(void) { printf("last %d\n", ++count); }
static void handler(void) { printf("handler %d\n", ++count); }

int main(void) {
    printf("main %d\n", ++count);
    atexit(handler);
    if (count == 6) exit(3);
    return 0;
}
