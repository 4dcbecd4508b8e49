// A thread still reads what its creator has freed.
#include <pthread.h>
#include <stdlib.h>

int *message;
int seen;

void *receive(void *unused)
{
  (void)unused;
  seen = *message;
  return 0;
}

int main(void)
{
  pthread_t receiver;
  message = malloc(sizeof *message);
  *message = 7;
  pthread_create(&receiver, 0, receive, 0);
  free(message);
  pthread_join(receiver, 0);
  return 0;
}
