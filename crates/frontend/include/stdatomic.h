/* Selvedge's <stdatomic.h>: types, constants, and the functions that have one
   type. The generic functions are neither macros nor declared here; the type
   checker knows them by name:

     atomic_init            atomic_is_lock_free
     atomic_load            atomic_load_explicit
     atomic_store           atomic_store_explicit
     atomic_exchange        atomic_exchange_explicit
     atomic_compare_exchange_strong   atomic_compare_exchange_strong_explicit
     atomic_compare_exchange_weak     atomic_compare_exchange_weak_explicit
     atomic_fetch_add       atomic_fetch_add_explicit
     atomic_fetch_sub       atomic_fetch_sub_explicit
     atomic_fetch_or        atomic_fetch_or_explicit
     atomic_fetch_xor       atomic_fetch_xor_explicit
     atomic_fetch_and       atomic_fetch_and_explicit */

#ifndef _STDATOMIC_H
#define _STDATOMIC_H 1

typedef enum
{
  memory_order_relaxed = 0,
  memory_order_consume = 1,
  memory_order_acquire = 2,
  memory_order_release = 3,
  memory_order_acq_rel = 4,
  memory_order_seq_cst = 5
} memory_order;

typedef _Atomic _Bool atomic_bool;
typedef _Atomic char atomic_char;
typedef _Atomic signed char atomic_schar;
typedef _Atomic unsigned char atomic_uchar;
typedef _Atomic short atomic_short;
typedef _Atomic unsigned short atomic_ushort;
typedef _Atomic int atomic_int;
typedef _Atomic unsigned int atomic_uint;
typedef _Atomic long atomic_long;
typedef _Atomic unsigned long atomic_ulong;
__extension__ typedef _Atomic long long atomic_llong;
__extension__ typedef _Atomic unsigned long long atomic_ullong;
#ifdef __CHAR8_TYPE__
typedef _Atomic __CHAR8_TYPE__ atomic_char8_t;
#endif
typedef _Atomic __CHAR16_TYPE__ atomic_char16_t;
typedef _Atomic __CHAR32_TYPE__ atomic_char32_t;
typedef _Atomic __WCHAR_TYPE__ atomic_wchar_t;
typedef _Atomic __INT_LEAST8_TYPE__ atomic_int_least8_t;
typedef _Atomic __UINT_LEAST8_TYPE__ atomic_uint_least8_t;
typedef _Atomic __INT_LEAST16_TYPE__ atomic_int_least16_t;
typedef _Atomic __UINT_LEAST16_TYPE__ atomic_uint_least16_t;
typedef _Atomic __INT_LEAST32_TYPE__ atomic_int_least32_t;
typedef _Atomic __UINT_LEAST32_TYPE__ atomic_uint_least32_t;
__extension__ typedef _Atomic __INT_LEAST64_TYPE__ atomic_int_least64_t;
__extension__ typedef _Atomic __UINT_LEAST64_TYPE__ atomic_uint_least64_t;
typedef _Atomic __INT_FAST8_TYPE__ atomic_int_fast8_t;
typedef _Atomic __UINT_FAST8_TYPE__ atomic_uint_fast8_t;
typedef _Atomic __INT_FAST16_TYPE__ atomic_int_fast16_t;
typedef _Atomic __UINT_FAST16_TYPE__ atomic_uint_fast16_t;
typedef _Atomic __INT_FAST32_TYPE__ atomic_int_fast32_t;
typedef _Atomic __UINT_FAST32_TYPE__ atomic_uint_fast32_t;
__extension__ typedef _Atomic __INT_FAST64_TYPE__ atomic_int_fast64_t;
__extension__ typedef _Atomic __UINT_FAST64_TYPE__ atomic_uint_fast64_t;
typedef _Atomic __INTPTR_TYPE__ atomic_intptr_t;
typedef _Atomic __UINTPTR_TYPE__ atomic_uintptr_t;
typedef _Atomic __SIZE_TYPE__ atomic_size_t;
typedef _Atomic __PTRDIFF_TYPE__ atomic_ptrdiff_t;
__extension__ typedef _Atomic __INTMAX_TYPE__ atomic_intmax_t;
__extension__ typedef _Atomic __UINTMAX_TYPE__ atomic_uintmax_t;

typedef struct { _Atomic _Bool __selvedge_flag; } atomic_flag;

#define ATOMIC_FLAG_INIT { 0 }
#define ATOMIC_VAR_INIT(value) (value)

#define ATOMIC_BOOL_LOCK_FREE __GCC_ATOMIC_BOOL_LOCK_FREE
#define ATOMIC_CHAR_LOCK_FREE __GCC_ATOMIC_CHAR_LOCK_FREE
#ifdef __GCC_ATOMIC_CHAR8_T_LOCK_FREE
# define ATOMIC_CHAR8_T_LOCK_FREE __GCC_ATOMIC_CHAR8_T_LOCK_FREE
#endif
#define ATOMIC_CHAR16_T_LOCK_FREE __GCC_ATOMIC_CHAR16_T_LOCK_FREE
#define ATOMIC_CHAR32_T_LOCK_FREE __GCC_ATOMIC_CHAR32_T_LOCK_FREE
#define ATOMIC_WCHAR_T_LOCK_FREE __GCC_ATOMIC_WCHAR_T_LOCK_FREE
#define ATOMIC_SHORT_LOCK_FREE __GCC_ATOMIC_SHORT_LOCK_FREE
#define ATOMIC_INT_LOCK_FREE __GCC_ATOMIC_INT_LOCK_FREE
#define ATOMIC_LONG_LOCK_FREE __GCC_ATOMIC_LONG_LOCK_FREE
#define ATOMIC_LLONG_LOCK_FREE __GCC_ATOMIC_LLONG_LOCK_FREE
#define ATOMIC_POINTER_LOCK_FREE __GCC_ATOMIC_POINTER_LOCK_FREE

#define kill_dependency(value) ((void) 0, (value))

extern void atomic_thread_fence (memory_order __order);
extern void atomic_signal_fence (memory_order __order);

extern _Bool atomic_flag_test_and_set (volatile atomic_flag *__flag);
extern _Bool atomic_flag_test_and_set_explicit (volatile atomic_flag *__flag,
                                                memory_order __order);
extern void atomic_flag_clear (volatile atomic_flag *__flag);
extern void atomic_flag_clear_explicit (volatile atomic_flag *__flag,
                                        memory_order __order);

#endif
