// Two threads add to a counter under a lock.
#include <pthread.h>

void reach_error(void) {}

int counter;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *add(void *unused)
{
  (void)unused;
  pthread_mutex_lock(&lock);
  counter = counter + 1;
  pthread_mutex_unlock(&lock);
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
