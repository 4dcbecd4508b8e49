// A table-driven state machine that recognises floating-point numbers.
// Transition table indexed by state and character class.
#include <stdio.h>
enum state { START, SIGN, INT, DOT, FRAC, EXP, ESIGN, EDIG, BAD, STATES };
enum class { DIGIT, PLUSMINUS, POINT, E, OTHER, CLASSES };
static const unsigned char next[STATES][CLASSES] = {
    [START] = {INT, SIGN, DOT, BAD, BAD}, [SIGN] = {INT, BAD, DOT, BAD, BAD}, [INT] = {INT, BAD, FRAC, EXP, BAD},
    [DOT] = {FRAC, BAD, BAD, BAD, BAD},   [FRAC] = {FRAC, BAD, BAD, EXP, BAD}, [EXP] = {EDIG, ESIGN, BAD, BAD, BAD},
    [ESIGN] = {EDIG, BAD, BAD, BAD, BAD}, [EDIG] = {EDIG, BAD, BAD, BAD, BAD}, [BAD] = {BAD, BAD, BAD, BAD, BAD}};
static enum class of(char c) {
    switch (c) {
    case '0' ... '9': return DIGIT;
    case '+': case '-': return PLUSMINUS;
    case '.': return POINT;
    case 'e': case 'E': return E;
    default: return OTHER;
    }
}
int main(void) {
    const char *t[] = {"12", "-3.5", "+.5e10", "1e", "1e-7", ".", "", "4.x", "--1", "7."};
    int accepted = 0;
    for (int i = 0; i < 10; i++) {
        enum state s = START;
        for (const char *c = t[i]; *c; c++) s = next[s][of(*c)];
        int ok = s == INT || s == FRAC || s == EDIG;
        accepted += ok;
        printf("%s:%d%d ", t[i], s, ok);
    }
    putchar('\n');
    return accepted;
}
