/* Selvedge's PTHREAD_STACK_MIN: a constant in every mode, where the C library
   may ask the kernel. Included by <limits.h> and <pthread.h>. */

#ifndef PTHREAD_STACK_MIN
# define PTHREAD_STACK_MIN 16384
#endif
