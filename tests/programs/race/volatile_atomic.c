// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// flags: --volatile-atomic
// Single accesses to volatile variables are taken for atomic, also through pointers and in structs.
#include <pthread.h>

static volatile int is_ready;
static struct { volatile char *at; } last;
static volatile char place;

void *work(void *unused) {
    last.at = &place;
    *last.at = 1;
    is_ready = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int seen = is_ready + place;
    pthread_join(thread, 0);
    return seen;
}
