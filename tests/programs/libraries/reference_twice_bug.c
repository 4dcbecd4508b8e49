// selvedge: memory=unsafe
// flags: --setup make --concurrent take+use+drop --threads 2 --property memory --stop-on-fail
// The count is looked at again after it was lowered: two may see that none is left, or the object is gone.
#include <stdatomic.h>
#include <stdlib.h>

struct thing {
    atomic_int references;
    int value;
};

struct thing *make(void) {
    struct thing *thing = malloc(sizeof *thing);
    thing->value = 7;
    atomic_init(&thing->references, 0);
    return thing;
}

struct thing *take(struct thing *thing) {
    atomic_fetch_add(&thing->references, 1); // MEMORY! freed
    return thing;
}

int use(struct thing *thing) {
    return thing->value; // MEMORY! freed
}

void drop(struct thing *thing) {
    atomic_fetch_sub(&thing->references, 1); // MEMORY! freed
    if (atomic_load(&thing->references) == 0) // MEMORY! freed
        free(thing); // MEMORY!
}
