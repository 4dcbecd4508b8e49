// selvedge: deadlock=unknown
// With this kind a reader waits for waiting writers, which is not modelled.
#define _GNU_SOURCE
#include <pthread.h>

int main(void)
{
    pthread_rwlockattr_t attr;
    pthread_rwlockattr_init(&attr);
    pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP); // UNKNOWN! prefers writers
    return 0;
}
