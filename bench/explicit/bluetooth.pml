/* The Bluetooth driver of paper 003, with one unloading process and N workers; the model of bluetooth.c. */
#ifndef N
#define N 2
#endif
byte pending = 1;
bit stopping_flag = 0;
bit stopping_event = 0;
bit stopped = 0;
byte finished = 0;

inline decrement() {
    atomic { pending--; old = pending };
    if
    :: old == 0 -> stopping_event = 1
    :: else
    fi
}

proctype stop() {
    byte old;
    stopping_flag = 1;
    decrement();
    do
    :: stopping_event -> break
    :: else
    od;
    stopped = 1;
    atomic { old = 0; finished++ }
}

proctype add() {
    byte old;
    pending++;
    old = stopping_flag;
    if
    :: old == 0 -> old = stopped; assert(old == 0)
    :: else
    fi;
    decrement();
    atomic { old = 0; finished++ }
}

init {
    byte i = 0;
    run stop();
    do
    :: i < N -> run add(); i++
    :: else -> break
    od;
    finished == N + 1
}
