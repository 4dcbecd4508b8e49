/* The class of Section 5: any number of threads, M critical sections each, one Boolean lock without an owner. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef M
#define M 1
#endif

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);
_Bool lck;

static void acquire(void) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(!lck);
    lck = 1;
    __VERIFIER_atomic_end();
}

static void release(void) {
    __VERIFIER_atomic_begin();
    lck = 0;
    __VERIFIER_atomic_end();
}

void *worker(void *arg) {
    for (;;) {
#if M >= 1
        acquire();
critical1:
        release();
#endif
#if M >= 2
        acquire();
critical2:
        release();
#endif
#if M >= 3
        acquire();
critical3:
        release();
#endif
#if M >= 4
        acquire();
critical4:
        release();
#endif
#if M >= 5
        acquire();
critical5:
        release();
#endif
#if M >= 6
        acquire();
critical6:
        release();
#endif
#if M >= 7
        acquire();
critical7:
        release();
#endif
#if M >= 8
        acquire();
critical8:
        release();
#endif
#if M >= 9
        acquire();
critical9:
        release();
#endif
    }
}

int main(void) {
    pthread_t t;
#ifdef N
    for (int i = 0; i < N; i++) pthread_create(&t, 0, worker, 0);
    pthread_exit(0);
#else
    for (;;) pthread_create(&t, 0, worker, 0);
#endif
}
