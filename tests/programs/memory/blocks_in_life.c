// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Pointers that do not outlive what they point to, whatever the way through the blocks.
#include <assert.h>
#include <pthread.h>

struct pair { int a, b; };

int sum(struct pair *pair) { return pair->a + pair->b; }
int total(struct pair pair) { return sum(&pair); }
struct pair same(struct pair pair) { return pair; }

void *work(void *given) {
    *(int *)given += 1;
    return 0;
}

int entered(int way) {
    int *p = 0;
    switch (way) {
        int inside[2];
    case 0:
        inside[0] = 1;
        p = inside;
        return p[0];
    case 1:
        for (int round = 0; round < 3; round++) {
            int x = round;
            p = &x;
            if (x == 0)
                continue;
            if (*p == 2)
                break;
        }
        return 2;
    default:
        return 3;
    }
}

int main(void) {
    for (int round = 0; round < 2; round++) {
        int counter = 0;
        pthread_t thread;
        pthread_create(&thread, 0, work, &counter);
        pthread_join(thread, 0);
        assert(counter == 1);
        struct pair pair = {round, 2};
        assert(total(same(pair)) == round + 2 && total(pair) == sum(&(struct pair){round, 2}));
        int value = ({ struct pair inner = {3, 4}; struct pair *p = &inner; *p; }).b;
        assert(value == 4);
    }
    int again = 0;
retry: {
        int x = again;
        int *p = &x;
        if (again++ < 2)
            goto retry;
        assert(*p == 2);
    }
    assert(entered(0) == 1 && entered(1) == 2 && entered(2) == 3);
    return 0;
}
