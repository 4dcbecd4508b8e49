/* Selvedge's thread types. The C library's <sys/types.h>, <stdlib.h> and
   <signal.h> include <bits/pthreadtypes.h>, so this file takes its place and
   there is one definition of each type, whatever is included first.

   The types are opaque, of the sizes and alignments they have on x86. All
   zero bytes are an unlocked lock of the default kind. The kind of a mutex
   (an int) lies at byte 16 (LP64) or 12 (ILP32), that of a rwlock at byte 48
   or 24: where the C library's own initialisers put it as well. */

#ifndef _BITS_PTHREADTYPES_COMMON_H
#define _BITS_PTHREADTYPES_COMMON_H 1

#include <features.h>

typedef unsigned long int pthread_t;
typedef unsigned int pthread_key_t;
typedef int pthread_once_t;

typedef struct { int __selvedge_kind; } pthread_mutexattr_t;
typedef struct { int __selvedge_opaque; } pthread_condattr_t;

union pthread_attr_t
{
#if __SIZEOF_LONG__ == 8
  unsigned long int __selvedge_opaque[7];
#else
  unsigned long int __selvedge_opaque[9];
#endif
};
#ifndef __have_pthread_attr_t
typedef union pthread_attr_t pthread_attr_t;
# define __have_pthread_attr_t 1
#endif

#include <bits/selvedge-locks.h>

typedef struct __SELVEDGE_MUTEX pthread_mutex_t;
typedef struct __SELVEDGE_CONDITION pthread_cond_t;

#if defined __USE_UNIX98 || defined __USE_XOPEN2K
typedef struct
{
  unsigned long int __selvedge_state[6];
  unsigned int __selvedge_kind;
  unsigned int __selvedge_opaque;
} pthread_rwlock_t;

typedef union
{
  char __selvedge_opaque[8];
  long int __selvedge_align;
} pthread_rwlockattr_t;
#endif

#ifdef __USE_XOPEN2K
typedef volatile int pthread_spinlock_t;

typedef struct
{
#if __SIZEOF_LONG__ == 8
  unsigned long int __selvedge_opaque[4];
#else
  unsigned long int __selvedge_opaque[5];
#endif
} pthread_barrier_t;

typedef struct { int __selvedge_opaque; } pthread_barrierattr_t;
#endif

#endif
