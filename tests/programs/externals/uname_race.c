// selvedge: race=unsafe
// What the system is called is read while another thread asks for it.
#include <pthread.h>
#include <sys/utsname.h>

struct utsname name;

void *work(void *arg)
{
    uname(&name); // RACE! name
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    char first = name.sysname[0]; // RACE! name
    pthread_join(thread, 0);
    return first == 'L';
}
