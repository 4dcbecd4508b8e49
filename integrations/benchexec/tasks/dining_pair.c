// Two threads take two locks in opposite orders.
#include <pthread.h>

pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
int meals;

void *eat(void *unused)
{
  (void)unused;
  pthread_mutex_lock(&left);
  pthread_mutex_lock(&right);
  meals = meals + 1;
  pthread_mutex_unlock(&right);
  pthread_mutex_unlock(&left);
  return 0;
}

int main(void)
{
  pthread_t other;
  pthread_create(&other, 0, eat, 0);
  pthread_mutex_lock(&right);
  pthread_mutex_lock(&left);
  meals = meals + 1;
  pthread_mutex_unlock(&left);
  pthread_mutex_unlock(&right);
  pthread_join(other, 0);
  return 0;
}
