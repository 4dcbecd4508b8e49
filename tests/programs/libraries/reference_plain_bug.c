// selvedge: race=unsafe
// flags: --setup make --concurrent take+use+drop --threads 2 --property race --stop-on-fail
// References are counted without atomic operations.
#include <stdlib.h>

struct thing {
    int references;
    int value;
};

struct thing *make(void) {
    struct thing *thing = malloc(sizeof *thing);
    thing->value = 7;
    thing->references = 1;
    return thing;
}

struct thing *take(struct thing *thing) {
    thing->references++; // RACE! heap
    return thing;
}

int use(struct thing *thing) {
    return thing->value; // RACE! heap
}

void drop(struct thing *thing) {
    if (--thing->references == 0) // RACE! heap
        free(thing); // RACE! heap
}
