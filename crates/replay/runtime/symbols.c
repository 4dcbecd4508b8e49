/* Where variables are: by the symbol table of our own program. A name that several variables have says nothing; the
 * scheduler learns then where they are, as with locals and allocations. */
#define _GNU_SOURCE
#include "schedule.h"

#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether a symbol is a variable of this name: itself, or with the number that compilers give to those in functions. */
static int is_named(const char *symbol, const char *name)
{
    while (*name && *symbol == *name)
        symbol++, name++;
    if (*name)
        return 0;
    return *symbol == 0 || (symbol[0] == '.' && symbol[1] >= '0' && symbol[1] <= '9');
}

static void find(const char *image, const ElfW(Shdr) *section, const char *names)
{
    const ElfW(Sym) *symbols = (const void *)(image + section->sh_offset);
    size_t count = section->sh_size / sizeof *symbols;
    for (int object = 0; object < sv_object_count; object++) {
        int found = 0;
        for (size_t at = 0; sv_name_of[object] && at < count; at++) {
            if ((symbols[at].st_info & 0xf) == STT_OBJECT && is_named(names + symbols[at].st_name, sv_name_of[object])) {
                sv_object_at[object] = symbols[at].st_value;
                found++;
            }
        }
        if (found != 1)
            sv_object_at[object] = 0;
    }
}

void sv_find_variables(void)
{
    struct stat status;
    int file = open("/proc/self/exe", O_RDONLY);
    if (file < 0 || fstat(file, &status))
        return;
    const char *image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (image == MAP_FAILED)
        return;
    const ElfW(Ehdr) *header = (const void *)image;
    const ElfW(Shdr) *sections = (const void *)(image + header->e_shoff);
    for (int at = 0; at < header->e_shnum; at++)
        if (sections[at].sh_type == SHT_SYMTAB)
            find(image, &sections[at], image + sections[sections[at].sh_link].sh_offset);
    munmap((void *)image, (size_t)status.st_size);
}
