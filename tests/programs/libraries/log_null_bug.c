// selvedge: memory=unsafe
// flags: --concurrent log_line,log_clear --property memory --stop-on-fail
// The line is looked at before it is known to be there.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char text[8];
static unsigned length;

void log_line(const char *line) {
    if (*line == 0) // MEMORY! null
        return;
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
