/* The class of Section 5 for SPIN: N threads, M critical sections each, one Boolean lock. */
#ifndef N
#define N 2
#endif
#ifndef M
#define M 1
#endif
bool lck;
byte inside;

active [N] proctype worker() {
	byte k;
	do
	:: k = 0;
	   do
	   :: k < M ->
		atomic { !lck -> lck = true }
		inside++;
		assert(inside == 1);
		inside--;
		lck = false;
		k++
	   :: else -> break
	   od
	od
}
