// An assertion that fails ends the program; what must not be called is never called.
#include <assert.h>
#include <pthread.h>

void reach_error(void) {}

_Atomic int flag;

void *raise(void *unused)
{
  (void)unused;
  flag = 1;
  return 0;
}

int main(void)
{
  pthread_t thread;
  pthread_create(&thread, 0, raise, 0);
  assert(flag == 0);
  if (flag > 1)
    reach_error();
  pthread_join(thread, 0);
  return 0;
}
