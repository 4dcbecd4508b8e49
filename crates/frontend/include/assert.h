/* Selvedge's <assert.h>. An assertion stays a call that carries its condition
   and its text: __selvedge_assert (condition, "condition").
   May be included again with another setting of NDEBUG, hence no guard. */

#undef assert
#undef assert_perror
#undef __ASSERT_FUNCTION

#include <features.h>

#ifndef _ASSERT_H
# define _ASSERT_H 1
#endif

#ifdef NDEBUG

# define assert(expr) ((void) 0)
# ifdef __USE_GNU
#  define assert_perror(errnum) ((void) 0)
# endif

#else

# ifndef _SELVEDGE_ASSERT_DECLARED
#  define _SELVEDGE_ASSERT_DECLARED 1
extern void __selvedge_assert (_Bool __condition, const char *__text);

extern void __assert_fail (const char *__assertion, const char *__file,
                           unsigned int __line, const char *__function)
  __attribute__ ((__noreturn__));
extern void __assert_perror_fail (int __errnum, const char *__file,
                                  unsigned int __line,
                                  const char *__function)
  __attribute__ ((__noreturn__));
extern void __assert (const char *__assertion, const char *__file, int __line)
  __attribute__ ((__noreturn__));
# endif

# define assert(expr) __selvedge_assert ((expr), #expr)
# ifdef __USE_GNU
#  define assert_perror(errnum) \
  __selvedge_assert ((errnum) == 0, #errnum " == 0")
# endif
# define __ASSERT_FUNCTION __extension__ __func__

#endif

#if defined __USE_ISOC11 && !defined __cplusplus
# undef static_assert
# define static_assert _Static_assert
#endif
