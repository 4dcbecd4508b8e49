// selvedge: race=bounded memory=bounded
// flags: --setup make --concurrent take+use+drop --threads 2 --engine explicit
// An object that is freed with its last reference; the first is kept by whoever made it.
#include <stdatomic.h>
#include <stdlib.h>

struct thing {
    atomic_int references;
    int value;
};

struct thing *make(void) {
    struct thing *thing = malloc(sizeof *thing);
    thing->value = 7;
    atomic_init(&thing->references, 1);
    return thing;
}

struct thing *take(struct thing *thing) {
    atomic_fetch_add(&thing->references, 1);
    return thing;
}

int use(struct thing *thing) {
    return thing->value;
}

void drop(struct thing *thing) {
    if (atomic_fetch_sub(&thing->references, 1) == 1)
        free(thing);
}
