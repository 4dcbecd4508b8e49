// The same without the lock: one of the additions may be lost.
#include <pthread.h>

void reach_error(void) {}

int counter;

void *add(void *unused)
{
  (void)unused;
  counter = counter + 1;
  return 0;
}

int main(void)
{
  pthread_t one, two;
  pthread_create(&one, 0, add, 0);
  pthread_create(&two, 0, add, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  if (counter != 2)
    reach_error();
  return 0;
}
