// With a long of 32 bits the sum of two halves does not fit.
#include <pthread.h>

long sum = 1073741824;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *add(void *unused)
{
  (void)unused;
  pthread_mutex_lock(&lock);
  sum = sum + 1073741824;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void)
{
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  pthread_join(thread, 0);
  return 0;
}
