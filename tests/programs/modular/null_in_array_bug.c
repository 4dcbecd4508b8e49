// selvedge: assertion=unsafe
// flags: --property assertion
// Most of the pointers in the array are null: only one was ever stored there.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int target;
int *pointers[100];

void *worker(void *argument) {
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 100)
        assert(pointers[i]); // FAIL!
    return 0;
}

int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 100)
        pointers[i] = &target;
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
