/* Which event of the table an operation is: of its kind, at the object's address where that is known, and else on the
 * event's line. */
#include "schedule.h"

/* Where a piece of an object is; 0 if it is not known yet. */
static uintptr_t address_of(const struct sv_piece *piece)
{
    if (piece->object < 0)
        return (uintptr_t)&sv_threads[-1 - piece->object];
    uintptr_t base = sv_object_at[piece->object];
    return base ? base + piece->offset : 0;
}

static int is_touched(const struct sv_piece *piece, uintptr_t at, const struct sv_range *range)
{
    if (piece->size == 0 || range->size == 0)
        return at == range->address || (range->size && at - range->address < range->size);
    return at < range->address + range->size && range->address < at + piece->size;
}

static int is_access(enum sv_kind kind)
{
    return kind == SV_READ || kind == SV_WRITE || kind == SV_ATOMIC;
}

/* Whether an operation of its kind can be an event of its kind. `atomic_init` is a plain write to C and an atomic one to
 * compilers; what an atomic section does at once is made of plain accesses; and copies may be calls of the library. */
static int is_same_kind(const struct sv_event *event, const struct sv_operation *operation)
{
    if (event->kind == operation->kind)
        return 1;
    if (!is_access(event->kind))
        return 0;
    return is_access(operation->kind) ? event->kind == SV_ATOMIC || operation->kind == SV_ATOMIC
                                      : operation->kind == SV_LIBRARY;
}

/* Whether an object of a kind can be at an address: variables are in the program's own image, locals on the stack. */
static int can_be_at(enum sv_storage storage, uintptr_t address)
{
    extern char __executable_start, _end;
    int is_static = address >= (uintptr_t)&__executable_start && address < (uintptr_t)&_end;
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    int is_on_stack = address >= here && address - here < 1 << 20;
    switch (storage) {
    case SV_STATIC:
        return is_static;
    case SV_HEAP:
        return !is_static && !is_on_stack;
    case SV_LOCAL:
        return !is_static;
    }
    return 1;
}

enum certainty { NO, BY_LINE, BY_ADDRESS };

/* Whether an operation is an event of the table. */
static enum certainty matches(const struct sv_event *event, const struct sv_operation *operation)
{
    if (!is_same_kind(event, operation))
        return NO;
    if (event->kind == SV_EXIT)
        return BY_ADDRESS;
    enum certainty found = NO;
    int is_known_elsewhere = 0;
    for (int p = 0; p < event->pieces; p++) {
        uintptr_t at = address_of(&event->piece[p]);
        int is_here = 0;
        for (int r = 0; at && r < operation->ranges; r++)
            is_here |= is_touched(&event->piece[p], at, &operation->range[r]);
        if (is_here)
            found = BY_ADDRESS;
        else if (at)
            is_known_elsewhere = 1;
    }
    if (found)
        return found;
    if (is_known_elsewhere && event->kind != SV_CREATE && event->kind != SV_LIBRARY)
        return NO;
    if (event->pieces == 1 && event->piece[0].object >= 0 && operation->ranges == 1 &&
        !can_be_at(sv_storage_of[event->piece[0].object], operation->range[0].address))
        return NO;
    return sv_is_in(sv_place_of(operation->pc), event->file, event->first_line, event->last_line) ? BY_LINE : NO;
}

/* Of an operation on two objects one cannot say which is which. */
void sv_learn(const struct sv_event *event, const struct sv_operation *operation)
{
    if (!is_access(event->kind) && event->kind != SV_LOCK && event->kind != SV_FREE)
        return;
    const struct sv_piece *piece = &event->piece[0];
    if (event->pieces == 1 && operation->ranges == 1 && piece->object >= 0 && !sv_object_at[piece->object])
        sv_object_at[piece->object] = operation->range[0].address - piece->offset;
}

/* Whether an event of the executing thread is only a part of an operation: of the copy of a struct, say. */
static int covers(const struct sv_operation *operation, const struct sv_event *event)
{
    if (event >= sv_events + sv_event_count || event->thread != sv_self() || event->pieces != 1 || operation->ranges == 0)
        return 0;
    int is_larger = operation->kind == SV_LIBRARY || operation->range[0].size > (size_t)event->piece[0].size;
    return is_larger && matches(event, operation) == BY_ADDRESS;
}

/* The event of the executing thread that an operation is, from the next one on; those before another thread's event
 * come first. Beyond that, a plain access on the same line is too little to go by. -1 if there is none. */
int sv_find(const struct sv_operation *operation, int position)
{
    int self = sv_self(), at = position;
    for (; at < sv_event_count && sv_events[at].thread == self; at++)
        if (matches(&sv_events[at], operation)) {
            while (covers(operation, &sv_events[at]) && covers(operation, &sv_events[at + 1]))
                at++;
            return at;
        }
    int is_plain = operation->kind == SV_READ || operation->kind == SV_WRITE;
    for (; at < sv_event_count; at++)
        if (sv_events[at].thread == self && matches(&sv_events[at], operation) > (is_plain ? BY_LINE : NO))
            return at;
    return -1;
}
