// Whoever comes second frees once more.
#include <pthread.h>
#include <stdlib.h>

char *buffer;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *drop(void *unused)
{
  (void)unused;
  pthread_mutex_lock(&lock);
  free(buffer);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void)
{
  pthread_t one, two;
  buffer = malloc(8);
  pthread_create(&one, 0, drop, 0);
  pthread_create(&two, 0, drop, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
