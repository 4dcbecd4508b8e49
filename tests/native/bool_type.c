// _Bool: conversion from every scalar type gives 0 or 1.
// Arithmetic on it promotes to int; bit-field and array forms too.
#include <stdbool.h>
#include <stdio.h>
struct flags { bool a : 1; bool b : 1; unsigned c : 3; };
static bool is_odd(int x) { return x & 1; }
static bool raw(int x) { return x; }
int main(void) {
    bool b = 2;
    bool c = 0.1;
    bool d = (void *)0;
    bool e = "text";
    bool f = 1ll << 40;
    printf("%d %d %d %d %d\n", b, c, d, e, f);
    printf("%d %d\n", (bool)256, (unsigned char)256);
    printf("%d %d\n", is_odd(7), raw(512));
    struct flags s = {0};
    s.a = 2;
    s.b = 0;
    s.c = 9;
    printf("%d %d %d\n", s.a, s.b, s.c);
    s.b += 1;
    s.a ^= 1;
    printf("%d %d\n", s.a, s.b);
    bool arr[4] = {5, 0, -1};
    printf("%d%d%d%d %zu\n", arr[0], arr[1], arr[2], arr[3], sizeof arr);
    b = b + b + b;
    printf("%d %d\n", b, b + b + b);
    b = !b;
    printf("%d %d\n", b, ~b);
    return b == false;
}
