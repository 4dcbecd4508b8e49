// Conway's game of life on a small torus: a glider for eight generations.
// Two boards are swapped through pointers to arrays.
#include <stdio.h>
#include <string.h>
#define W 8
#define H 6
typedef unsigned char board[H][W];
static int around(board *b, int y, int x) {
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dy || dx) n += (*b)[(y + dy + H) % H][(x + dx + W) % W];
    return n;
}
int main(void) {
    board a = {{0, 1}, {0, 0, 1}, {1, 1, 1}}, b;
    board *now = &a, *next = &b;
    for (int g = 0; g < 8; g++) {
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) { int n = around(now, y, x); (*next)[y][x] = n == 3 || (n == 2 && (*now)[y][x]); }
        board *t = now;
        now = next;
        next = t;
    }
    int alive = 0;
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++) { putchar((*now)[y][x] ? '#' : '.'); alive += (*now)[y][x]; }
        putchar('\n');
    }
    return alive;
}
