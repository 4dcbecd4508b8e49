#include <pthread.h>
#include <string.h>

struct conf {
    int level;
    char name[60];
    long numbers[20];
};

struct conf conf;
char text[16];
int shared;

void *work(void *unused) {
    shared = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    memset(&conf, 0, sizeof conf);
    strcpy(text, "hello");
    pthread_create(&thread, 0, work, 0);
    shared = 2;
    pthread_join(thread, 0);
    return 0;
}
