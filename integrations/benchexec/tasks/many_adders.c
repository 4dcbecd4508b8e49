// Any number of threads keep a number even under a lock.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

unsigned number;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *add(void *unused)
{
  (void)unused;
  pthread_mutex_lock(&lock);
  number = number + 1;
  number = number + 1;
  if (number % 2 != 0)
    reach_error();
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void)
{
  pthread_t thread;
  while (__VERIFIER_nondet_bool())
    pthread_create(&thread, 0, add, 0);
  return 0;
}
