/* Where return addresses are in the source: asked of addr2line, once for each. */
#define _GNU_SOURCE
#include "schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SITES 65536

static struct site {
    const void *pc;
    struct sv_place place;
} *sites;
static FILE *questions, *answers;
static int is_open, has_failed;

/* Starts addr2line on our own program. Where there is none, no place is known. */
static void open_addr2line(void)
{
    is_open = 1;
    int to[2], from[2];
    static char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0 || pipe(to) || pipe(from))
        return;
    path[length] = 0;
    pid_t child = fork();
    if (child == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        close(to[1]);
        close(from[0]);
        execlp("addr2line", "addr2line", "-f", "-e", path, (char *)0);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    if (child < 0)
        return;
    questions = fdopen(to[1], "w");
    answers = fdopen(from[0], "r");
}

static void ask(const void *pc, struct sv_place *place)
{
    char line[4096];
    if (!is_open)
        open_addr2line();
    if (!questions || !answers || has_failed)
        return;
    has_failed = 1;
    /* The call before the return address. */
    if (fprintf(questions, "%p\n", (const void *)((const char *)pc - 1)) < 0 || fflush(questions))
        return;
    if (!fgets(line, sizeof line, answers))
        return;
    line[strcspn(line, "\n")] = 0;
    snprintf(place->function, sizeof place->function, "%s", line);
    if (!fgets(line, sizeof line, answers))
        return;
    has_failed = 0;
    char *colon = strrchr(line, ':');
    if (!colon)
        return;
    *colon = 0;
    const char *slash = strrchr(line, '/');
    snprintf(place->file, sizeof place->file, "%s", slash ? slash + 1 : line);
    place->line = atoi(colon + 1);
}

const struct sv_place *sv_place_of(const void *pc)
{
    static struct sv_place nowhere;
    if (!sites && !(sites = calloc(SITES, sizeof *sites)))
        return &nowhere;
    size_t at = ((uintptr_t)pc >> 1) * 2654435761u % SITES;
    for (int tried = 0; tried < SITES; tried++, at = (at + 1) % SITES) {
        if (sites[at].pc == pc)
            return &sites[at].place;
        if (!sites[at].pc) {
            sites[at].pc = pc;
            ask(pc, &sites[at].place);
            return &sites[at].place;
        }
    }
    return &nowhere;
}

int sv_knows_places(void) { return !has_failed; }

int sv_is_in(const struct sv_place *place, int file, int first_line, int last_line)
{
    if (file < 0 || place->line < first_line || place->line > last_line)
        return 0;
    const char *slash = strrchr(sv_files[file], '/');
    return strcmp(place->file, slash ? slash + 1 : sv_files[file]) == 0;
}

const char *sv_show(const void *pc)
{
    static char buffers[4][256];
    static int next;
    const struct sv_place *place = sv_place_of(pc);
    char *buffer = buffers[next++ % 4];
    if (place->line)
        snprintf(buffer, sizeof buffers[0], "%s:%d", place->file, place->line);
    else
        snprintf(buffer, sizeof buffers[0], "an unknown place");
    return buffer;
}
