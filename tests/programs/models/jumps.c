// setjmp and longjmp.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static jmp_buf there;

#if CASE == 0
static int jump(int value)
{
    longjmp(there, value);
}
int main(void)
{
    int value = setjmp(there);
    if (value < 4)
        return jump(value + 4);
    return value; // EXPECT[0]: exit 4
}
#elif CASE == 1
static void *enter(void *unused)
{
    longjmp(there, 1); // EXPECT[1]: undefined NoJumpTarget
    return unused;
}
int main(void)
{
    pthread_t t;
    if (setjmp(there) == 0)
        pthread_create(&t, 0, enter, 0);
    pthread_join(t, 0);
    return 0;
}
#elif CASE == 2
static int set(void)
{
    return setjmp(there);
}
int main(void)
{
    if (set() == 0)
        longjmp(there, 1); // EXPECT[2]: undefined UseAfterReturn
    return 0;
}
#elif CASE == 3
// A buffer that is too small.
int main(void)
{
    long small[2];
    return setjmp((void *)small) ? (longjmp(there, 1), 1) : 0; // EXPECT[3]: undefined OutOfBounds
}
#elif CASE == 4
int main(void)
{
    jmp_buf *buffer = malloc(sizeof *buffer);
    if (setjmp(*buffer))
        return 1;
    free(buffer);
    longjmp(*buffer, 1); // EXPECT[4]: undefined UseAfterFree
}
#elif CASE == 5
// A copy of a buffer is as good as the buffer.
int main(void)
{
    struct {
        jmp_buf buffer;
    } one, other;
    if (setjmp(one.buffer))
        return 5; // EXPECT[5]: exit 5
    other = one;
    longjmp(other.buffer, 1);
}
#elif CASE == 6
// The mask is restored if it was kept.
static sigjmp_buf kept, lost;
static void handler(int number)
{
    (void)number;
}
static int blocked(void)
{
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    return sigismember(&now, SIGINT);
}
int main(void)
{
    sigset_t set;
    signal(SIGINT, handler);
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    if (sigsetjmp(kept, 1) == 0) {
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        siglongjmp(kept, 1);
    }
    if (blocked())
        return 1;
    if (sigsetjmp(lost, 0) == 0) {
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        siglongjmp(lost, 1);
    }
    return blocked() ? 6 : 2; // EXPECT[6]: exit 6
}
#elif CASE == 7
// The compiler's own, whose buffers are five words.
static void *words[5];
static void jump(void)
{
    __builtin_longjmp(words, 1);
}
int main(void)
{
    if (__builtin_setjmp(words) == 0)
        jump();
    return 7; // EXPECT[7]: exit 7
}
#elif CASE == 8
// The result of a call that a jump leaves is not stored.
static int jump(void)
{
    longjmp(there, 1);
}
int main(void)
{
    int result = 8;
    if (setjmp(there) == 0)
        result = jump();
    return result; // EXPECT[8]: exit 8
}
#elif CASE == 9
// A handler of the process's end may not jump to where it was called from.
static void handler(void)
{
    longjmp(there, 1);
}
int main(void)
{
    atexit(handler);
    if (setjmp(there) == 0)
        exit(1); // EXPECT[9]: unsupported a jump out of a function that `exit` calls
    return 2;
}
#endif
