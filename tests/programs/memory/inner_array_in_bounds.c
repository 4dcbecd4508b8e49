// selvedge: assertion=safe memory=safe
// What C programs do with arrays in structs, and may (or what every compiler lets them).
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct buffer { int length; char data[1]; };
struct flexible { int length; char data[]; };
struct ring { int slots[4]; int first; };
union word { unsigned char bytes[2]; unsigned whole; };

int main(void) {
    struct buffer *buffer = malloc(sizeof *buffer + 7);
    buffer->data[7] = 'x';
    struct flexible *flexible = malloc(sizeof *flexible + 8);
    flexible->data[7] = 'y';
    assert(buffer->data[7] + 1 == flexible->data[7]);
    struct ring ring;
    memset(&ring, 0, sizeof ring);
    for (int *p = ring.slots; p != &ring.slots[4]; p++)
        *p = 2;
    for (unsigned i = 0; i < 4; i++)
        assert(ring.slots[i] == 2 && ring.first == 0);
    struct ring *back = (struct ring *)((char *)&ring.first - offsetof(struct ring, first));
    assert(back == &ring && *(ring.slots + 4 - 1) == 2);
    union word word = {.whole = 0x04030201};
    assert(word.bytes[3] == 4);
    free(buffer);
    free(flexible);
    return 0;
}
