// Computed goto: a table of label addresses drives a small bytecode loop.
// Labels as values are stored in a static array.
#include <stdio.h>
static int run(const unsigned char *code) {
    static void *ops[] = {&&halt, &&push, &&add, &&mul, &&dup};
    int stack[8], sp = 0;
    goto *ops[*code];
push: stack[sp++] = code[1]; code += 2; goto *ops[*code];
add: sp--; stack[sp - 1] += stack[sp]; goto *ops[*++code];
mul: sp--; stack[sp - 1] *= stack[sp]; goto *ops[*++code];
dup: stack[sp] = stack[sp - 1]; sp++; goto *ops[*++code];
halt: return stack[sp - 1];
}
int main(void) {
    const unsigned char a[] = {1, 3, 1, 4, 2, 4, 3, 0};
    const unsigned char b[] = {1, 200, 4, 3, 1, 5, 2, 0};
    printf("%d %d\n", run(a), run(b));
    return 0;
}
