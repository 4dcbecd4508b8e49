// Functions that the attribute `cleanup` runs whenever control leaves a variable's block.
#include <stdio.h>

static int depth;
static void note(const int *p) { printf("[%d:%d]", *p, depth); }
static void release(char **p) { printf("<%s>", *p); *p = 0; }
#define NOTED __attribute__((cleanup(note)))

static int result(int n) {
    int NOTED a = n;
    if (n > 1) {
        int NOTED b = n * 10;
        return a + b++;
    }
    a++;
    return a;
}

struct pair { int x, y; };
static struct pair pair(int n) {
    struct pair made = {n, n};
    int NOTED watched = n;
    made.y++;
    return made;
}

static void loops(void) {
    for (int NOTED i = 0; i < 4; i++) {
        int NOTED in = i * 100;
        if (i == 1) continue;
        if (i == 3) break;
        printf("round %d ", i);
    }
    int k = 0;
    while (k < 2) {
        __attribute__((cleanup(note))) int x = k++, y = -k;
        (void)y;
    }
    do {
        char *name __attribute__((cleanup(release))) = "once";
    } while (0);
    printf("\n");
}

static void jumps(int n) {
    int round = 0;
again:;
    int NOTED outer = 1000 + round;
    {
        int NOTED inner = 2000 + round;
        {
            int NOTED innermost = 3000 + round;
            if (n == 0) goto out;
            if (round++ < n) goto again;
            if (n == 1) goto near;
        }
        printf("between ");
    near:
        printf("near ");
    }
out:
    printf("out ");
}

static int choose(int n) {
    switch (n) {
    case 1: {
        int NOTED one = 1;
        break;
    }
    case 2: {
        int NOTED two = 2;
    }
    default: {
        __auto_type NOTED last = 3;
        return last;
    }
    }
    return 0;
}

int main(void) {
    printf("%d\n", result(1));
    printf("%d\n", result(2));
    struct pair p = pair(7);
    printf("%d %d\n", p.x, p.y);
    loops();
    for (int n = 0; n < 3; n++) {
        jumps(n);
        printf("\n");
    }
    depth++;
    for (int n = 0; n < 4; n++) printf("%d ", choose(n));
    printf("\n");
    return 0;
}
