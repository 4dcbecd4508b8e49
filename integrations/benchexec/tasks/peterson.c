// Peterson's mutual exclusion of two threads, with atomic variables.
#include <pthread.h>

void reach_error(void) {}

_Atomic int wants_one, wants_two, turn;
int inside;

void *one(void *unused)
{
  (void)unused;
  wants_one = 1;
  turn = 2;
  while (wants_two && turn == 2)
    ;
  inside = 1;
  if (inside != 1)
    reach_error();
  wants_one = 0;
  return 0;
}

int main(void)
{
  pthread_t thread;
  pthread_create(&thread, 0, one, 0);
  wants_two = 1;
  turn = 1;
  while (wants_one && turn == 1)
    ;
  inside = 2;
  if (inside != 2)
    reach_error();
  wants_two = 0;
  pthread_join(thread, 0);
  return 0;
}
