// A stack machine with calls, branches and bit-field encoded instructions.
// The program computes factorials recursively.
#include <stdio.h>
enum op { PUSH, LOAD, SUB, MUL, JZ, CALL, RET, OUT, HALT };
struct insn { unsigned op : 4; signed arg : 12; };
static const struct insn code[] = {{PUSH, 6}, {CALL, 4}, {OUT}, {HALT}, {LOAD, -1}, {JZ, 12}, {LOAD, -1}, {LOAD, -1}, {PUSH, 1}, {SUB}, {CALL, 4}, {MUL, 0}, {RET, 1}};
int main(void) {
    long stack[64];
    int frames[16], sp = 0, fp = 0, pc = 0, steps = 0;
    printf("%zu\n", sizeof(struct insn));
    for (;; steps++) {
        struct insn i = code[pc++];
        switch ((enum op)i.op) {
        case PUSH: stack[sp++] = i.arg; continue;
        case LOAD: stack[sp] = stack[frames[fp - 1] + i.arg]; sp++; continue;
        case SUB: sp--; stack[sp - 1] -= stack[sp]; continue;
        case MUL: sp--; stack[sp - 1] *= stack[sp]; continue;
        case JZ: if (!stack[--sp]) { stack[sp++] = 1; pc = i.arg; } continue;
        case CALL: stack[sp++] = pc; frames[fp++] = sp - 1; pc = i.arg; continue;
        case RET: { long v = stack[--sp]; sp = frames[--fp]; pc = stack[sp]; sp -= i.arg; stack[sp++] = v; continue; }
        case OUT: printf("%ld\n", stack[--sp]); continue;
        case HALT: break;
        }
        break;
    }
    printf("%d %d %d\n", steps, sp, fp);
    return 0;
}
