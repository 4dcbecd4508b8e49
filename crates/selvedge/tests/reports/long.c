#include <pthread.h>
int a[30]; int b; int shared;
static int mix(int i) {
    a[i % 30] += i;
    b ^= a[i % 30];
    if (b > 100)
        b -= 50;
    return b;
}
static void touch(int i) {
    shared += i;
}
void *work(void *arg) {
    touch(1);
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 40; i++) {
        mix(i);
        mix(i + 1);
    }
    pthread_create(&t, 0, work, 0);
    touch(2);
    pthread_join(t, 0);
    return 0;
}
