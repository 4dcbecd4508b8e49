/* What only our headers promise: where a lock's kind lies, and that the types
   of <sys/types.h> alone are ours. */
#define _GNU_SOURCE 1
#include <sys/types.h>
extern pthread_mutex_t early;
#include <stddef.h>
#include <pthread.h>

#if __SIZEOF_LONG__ == 8
# define WIDE(wide, narrow) wide
#else
# define WIDE(wide, narrow) narrow
#endif

_Static_assert (offsetof (pthread_mutex_t, __selvedge_kind) == WIDE (16, 12),
                "kind of a mutex");
_Static_assert (offsetof (pthread_rwlock_t, __selvedge_kind) == WIDE (48, 24),
                "kind of a rwlock");
pthread_mutex_t early = { .__selvedge_kind = PTHREAD_MUTEX_RECURSIVE };
