// Exceptions by macros, with a stack of buffers per thread; nested, thrown again, and in several threads one by one.
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
struct attempt { jmp_buf back; struct attempt *outer; volatile int code; const char *volatile why; };
static _Thread_local struct attempt *innermost;
#define TRY do { struct attempt attempt_; attempt_.code = 0; attempt_.why = ""; attempt_.outer = innermost; innermost = &attempt_; if (setjmp(attempt_.back) == 0) {
#define CATCH } innermost = attempt_.outer; if (attempt_.code) { int code = attempt_.code; const char *why = attempt_.why; (void)code; (void)why;
#define END } } while (0)
static void throw(int code, const char *why) {
    if (!innermost) { printf("nobody catches %d\n", code); return; }
    innermost->code = code;
    innermost->why = why;
    longjmp(innermost->back, 1);
}
static int parse(const char *text) {
    int sum = 0;
    for (; *text; text++) {
        if (*text == '!') throw(2, text + 1);
        if (*text < '0' || *text > '9') throw(1, text);
        sum = 10 * sum + *text - '0';
    }
    return sum;
}
static void attempt(const char *text) {
    TRY
        printf("%s is %d\n", text, parse(text));
    CATCH
        printf("%s: error %d at '%s'\n", text, code, why);
        if (code == 2) throw(20, why);
    END;
}
static void *run(void *texts) {
    for (const char *const *volatile text = texts; *text; text++) {
        TRY
            attempt(*text);
        CATCH
            printf("again: %d '%s'\n", code, why);
        END;
    }
    throw(9, "");
    return (void *)strlen(*(const char *const *)texts);
}
int main(void) {
    const char *const first[] = {"12", "4x", "7!8", 0}, *const second[] = {"a", "!", "305", 0};
    pthread_t thread;
    void *length;
    pthread_create(&thread, NULL, run, (void *)first);
    pthread_join(thread, &length);
    printf("%ld\n", (long)length);
    pthread_create(&thread, NULL, run, (void *)second);
    pthread_join(thread, &length);
    return (int)(long)length;
}
