/* N processes, each three times in a critical section under one lock; the model of lock.c, one memory access per step. */
#ifndef N
#define N 3
#endif
byte owner = 0;
byte inside = 0;
byte finished = 0;

inline critical() {
    atomic { owner == 0 -> owner = _pid + 1 };
    tmp = inside;
    inside = tmp + 1;
    tmp = inside;
    assert(tmp == 1);
    tmp = inside;
    inside = tmp - 1;
    owner = 0
}

proctype worker() {
    byte tmp;
    critical();
    critical();
    critical();
    atomic { tmp = 0; finished++ }
}

init {
    byte i = 0;
    do
    :: i < N -> run worker(); i++
    :: else -> break
    od;
    finished == N
}
