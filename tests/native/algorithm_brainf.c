// A brainf*** interpreter running a tiny program that prints text.
// Jumps are precomputed with a stack.
#include <stdio.h>
#include <string.h>
int main(void) {
    const char *prog = "++++++++[>++++++++<-]>+.>+++[<+>-]<.+++.>++++++++++.";
    int n = strlen(prog), jump[80], stack[8], sp = 0;
    for (int i = 0; i < n; i++) {
        if (prog[i] == '[') stack[sp++] = i;
        if (prog[i] == ']') { jump[i] = stack[--sp]; jump[stack[sp]] = i; }
    }
    unsigned char tape[16] = {0}, *cell = tape;
    int steps = 0;
    for (int pc = 0; pc < n; pc++, steps++) {
        switch (prog[pc]) {
        case '+': ++*cell; break;
        case '-': --*cell; break;
        case '>': cell++; break;
        case '<': cell--; break;
        case '.': putchar(*cell); break;
        case '[': if (!*cell) pc = jump[pc]; break;
        case ']': if (*cell) pc = jump[pc]; break;
        }
    }
    printf("%d %d\n", steps, sp);
    return tape[1];
}
