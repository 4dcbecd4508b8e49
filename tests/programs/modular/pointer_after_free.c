// selvedge: race=unknown memory=unknown
// flags: --property race --property memory --timeout 5
// A pointer is moved within an object that another pointer has freed. Whether that leaves the object is not decided by
// what is known of it any more.
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    int *end = p;
    free(end);
    p++; // UNKNOWN! whose life has ended
    return p == end;
}
