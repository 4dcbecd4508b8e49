/* The order of the addresses of different objects: any, chosen when two of them are first compared, and kept from then on. */

void __selvedge_atomic_begin(void);
void __selvedge_atomic_end(void);
_Bool __selvedge_nondet_bool(void);
void __selvedge_too_many_addresses(void);

/* The starts of all objects that have been compared, the lowest first. */
static void *__selvedge_order[8];
static unsigned __selvedge_ordered;

/* Makes sure that an object has a place among them: a new one goes down from the upper end, as far as it likes. Whether
   there is room for it. */
static _Bool __selvedge_place(void *object)
{
    unsigned at = 0;
    while (at < __selvedge_ordered && __selvedge_order[at] != object)
        at++;
    if (at < __selvedge_ordered)
        return 1;
    if (at == 8)
        return 0;
    __selvedge_ordered++;
    while (at > 0 && __selvedge_nondet_bool()) {
        __selvedge_order[at] = __selvedge_order[at - 1];
        at--;
    }
    __selvedge_order[at] = object;
    return 1;
}

/* Whether one object lies below another; both are given by their starts. Of objects that there is no room for, any answer
   may be given, also one that does not fit the others. */
int __selvedge_lies_below(void *left, void *right)
{
    __selvedge_atomic_begin();
    int is_below;
    if (__selvedge_place(left) && __selvedge_place(right)) {
        unsigned at = 0;
        while (__selvedge_order[at] != left && __selvedge_order[at] != right)
            at++;
        is_below = __selvedge_order[at] == left;
    } else {
        __selvedge_too_many_addresses();
        is_below = __selvedge_nondet_bool();
    }
    __selvedge_atomic_end();
    return is_below;
}
