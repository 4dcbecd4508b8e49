/* How mutexes and condition variables are laid out, for pthread.h and threads.h, where they are different types of the
   same size. */
#ifndef _SELVEDGE_LOCKS_H
#define _SELVEDGE_LOCKS_H 1

#if __SIZEOF_LONG__ == 8
# define __SELVEDGE_MUTEX_WORDS 2
#else
# define __SELVEDGE_MUTEX_WORDS 3
#endif

#define __SELVEDGE_MUTEX                                          \
  {                                                               \
    unsigned long int __selvedge_state[__SELVEDGE_MUTEX_WORDS];   \
    int __selvedge_kind;                                          \
    unsigned long int __selvedge_opaque[2];                       \
  }

#define __SELVEDGE_CONDITION                                      \
  {                                                               \
    __extension__ unsigned long long int __selvedge_opaque[6];    \
  }

#endif
