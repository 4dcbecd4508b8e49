// selvedge: race=safe
// flags: --concurrent log_line,log_clear --engine modular --property race
// A log of the last characters, in variables of its own.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char text[8];
static unsigned length;

void log_line(const char *line) {
    if (!line)
        return;
    pthread_mutex_lock(&lock);
    while (*line && length < sizeof text - 1)
        text[length++] = *line++;
    pthread_mutex_unlock(&lock);
}

void log_clear(void) {
    pthread_mutex_lock(&lock);
    length = 0;
    pthread_mutex_unlock(&lock);
}
