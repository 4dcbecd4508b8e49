// The end of the process, and what is not modelled.
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#if CASE == 0
static void leave(int status)
{
    exit(status);
}
int main(void)
{
    leave(7); // EXPECT[0]: exit 7
    return 1;
}
#elif CASE == 1
int main(void)
{
    abort(); // EXPECT[1]: exit 134
}
#elif CASE == 2
static int ran;
static void first(void)
{
    _exit(10 * ran + 1);
}
static void second(void)
{
    ran++;
}
int main(void)
{
    atexit(first);
    atexit(second);
    return 5; // EXPECT[2]: exit 11
}
#elif CASE == 3
int main(void)
{
    jmp_buf there;
    if (setjmp(there) != 0)
        return 3; // EXPECT[3]: exit 3
    longjmp(there, 1);
}
#elif CASE == 4
int main(void)
{
    return fork() < 0; // EXPECT[4]: unsupported the child of `fork`: processes are not modelled | exit 0 | exit 1
}
#elif CASE == 5
static void on_interrupt(int number)
{
    (void)number;
}
int main(void)
{
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, on_interrupt);
    exit(5); // EXPECT[5]: exit 5
}
#elif CASE == 7
static void handler(void)
{
    _exit(3);
}
int main(void)
{
    atexit(handler);
    exit(4); // EXPECT[7]: exit 3
}
#elif CASE == 8
int main(void)
{
    char *words[] = {"ls", NULL};
    execv("/bin/ls", words);
    execlp("ls", "ls", "-l", (char *)NULL);
    return 6; // EXPECT[8]: exit 0 | exit 6
}
#elif CASE == 9
int main(void)
{
    int status;
    if (wait(&status) > 0 && waitpid(-1, NULL, 0) == -1)
        return system("true") ? 2 : 3; // EXPECT[9]: exit 1 | exit 2 | exit 3
    return 1;
}
#elif CASE == 10
int main(void)
{
    raise(SIGTERM); // EXPECT[10]: unsupported call of `raise`: signals are not modelled
    return 1;
}
#elif CASE == 11
int main(void)
{
    alarm(3);
    return sysconf(_SC_NPROCESSORS_ONLN) > 0 ? 4 : 1; // EXPECT[11]: exit 4
}
#elif CASE == 6
extern int unheard_of(int);
int main(void)
{
    unheard_of(1); // what it returns is anything
    return 5; // EXPECT[6]: exit 5
}
#endif
