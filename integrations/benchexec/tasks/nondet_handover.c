// The value that comes from outside passes from one thread to another, and one value of all is wrong.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

_Atomic int box;
_Atomic int full;

void *send(void *unused)
{
  (void)unused;
  box = __VERIFIER_nondet_int();
  full = 1;
  return 0;
}

int main(void)
{
  pthread_t sender;
  pthread_create(&sender, 0, send, 0);
  if (full == 1) {
    if (box == 4711)
      reach_error();
  }
  pthread_join(sender, 0);
  return 0;
}
