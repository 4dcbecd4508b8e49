/* Selvedge's <semaphore.h>: an opaque sem_t and plain declarations. */

#ifndef _SEMAPHORE_H
#define _SEMAPHORE_H 1

#include <features.h>
#include <sys/types.h>
#include <bits/types/struct_timespec.h>

typedef struct
{
  unsigned long int __selvedge_opaque[4];
} sem_t;

#define SEM_FAILED ((sem_t *) 0)

extern int sem_init (sem_t *__sem, int __pshared, unsigned int __value);
extern int sem_destroy (sem_t *__sem);
extern sem_t *sem_open (const char *__name, int __oflag, ...);
extern int sem_close (sem_t *__sem);
extern int sem_unlink (const char *__name);
extern int sem_wait (sem_t *__sem);
extern int sem_trywait (sem_t *__sem);
extern int sem_post (sem_t *__sem);
extern int sem_getvalue (sem_t *__restrict __sem, int *__restrict __value);

#ifdef __USE_XOPEN2K
extern int sem_timedwait (sem_t *__restrict __sem,
                          const struct timespec *__restrict __abstime);
#endif
#ifdef __USE_GNU
extern int sem_clockwait (sem_t *__restrict __sem, clockid_t __clock,
                          const struct timespec *__restrict __abstime);
#endif

#endif
