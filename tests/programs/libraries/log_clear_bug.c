// selvedge: race=unsafe
// flags: --concurrent log_line,log_clear --property race --stop-on-fail
// The log is cleared without its lock.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char text[8];
static unsigned length;

void log_line(const char *line) {
    if (!line)
        return;
    pthread_mutex_lock(&lock);
    while (*line && length < sizeof text - 1) // RACE! length
        text[length++] = *line++; // RACE! length
    pthread_mutex_unlock(&lock);
}

void log_clear(void) {
    length = 0; // RACE! length
}
