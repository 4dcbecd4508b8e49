/* Input and output to several pieces of memory in one call. What comes in is anything; which pieces are filled, and how far, is
   left open by filling each of them or none. */

int __selvedge_nondet_int(void);
unsigned long __selvedge_any_bytes(char *buffer, unsigned long count);
unsigned long __selvedge_look_at(const char *bytes, unsigned long count);

struct __selvedge_piece {
    char *base;
    unsigned long length;
};

struct __selvedge_message {
    char *name;
    unsigned int name_length;
    struct __selvedge_piece *pieces;
    unsigned long count;
    char *control;
    unsigned long control_length;
    int flags;
};

static unsigned long __selvedge_total_length(const struct __selvedge_piece *pieces, unsigned long count)
{
    unsigned long total = 0;
    for (unsigned long at = 0; at < count; at++)
        total += pieces[at].length;
    return total;
}

/* Up to so many bytes, or -1. */
static long __selvedge_up_to(unsigned long most)
{
    int done = __selvedge_nondet_int();
    return done < 0 || (unsigned long)done > most ? -1 : done;
}

long __selvedge_readv(int file, const struct __selvedge_piece *pieces, int count)
{
    (void)file;
    if (count <= 0)
        return count == 0 ? 0 : -1;
    unsigned long total = __selvedge_total_length(pieces, (unsigned long)count);
    long done = __selvedge_up_to(total);
    unsigned long left = done > 0 ? (unsigned long)done : 0;
    for (int at = 0; at < count && left > 0; at++) {
        unsigned long here = pieces[at].length < left ? pieces[at].length : left;
        __selvedge_any_bytes(pieces[at].base, here);
        left -= here;
    }
    return done;
}

long __selvedge_writev(int file, const struct __selvedge_piece *pieces, int count)
{
    (void)file;
    if (count <= 0)
        return count == 0 ? 0 : -1;
    for (int at = 0; at < count; at++)
        __selvedge_look_at(pieces[at].base, pieces[at].length);
    return __selvedge_up_to(__selvedge_total_length(pieces, (unsigned long)count));
}

long __selvedge_sendmsg(int file, const struct __selvedge_message *message)
{
    if (message->name != 0)
        __selvedge_look_at(message->name, message->name_length);
    if (message->control != 0)
        __selvedge_look_at(message->control, message->control_length);
    return __selvedge_writev(file, message->pieces, (int)message->count);
}

/* What comes with the message is any bytes: descriptors of files, say. */
long __selvedge_recvmsg(int file, struct __selvedge_message *message)
{
    long done = __selvedge_readv(file, message->pieces, (int)message->count);
    if (done < 0)
        return done;
    unsigned int name = (unsigned int)__selvedge_nondet_int();
    if (message->name != 0) {
        message->name_length = name < message->name_length ? name : message->name_length;
        __selvedge_any_bytes(message->name, message->name_length);
    }
    if (message->control != 0) {
        unsigned long control = (unsigned long)__selvedge_nondet_int();
        message->control_length = control < message->control_length ? control : message->control_length;
        __selvedge_any_bytes(message->control, message->control_length);
    }
    message->flags = __selvedge_nondet_int();
    return done;
}

struct __selvedge_message_in_row {
    struct __selvedge_message message;
    unsigned int length;
};

/* As many messages as come, each as `recvmsg` has it. */
int __selvedge_recvmmsg(int file, struct __selvedge_message_in_row *messages, unsigned int count, int flags, char *timeout)
{
    (void)flags;
    if (timeout != 0) {
        __selvedge_look_at(timeout, 2 * sizeof(long));
        __selvedge_any_bytes(timeout, 2 * sizeof(long));
    }
    unsigned int at = 0;
    for (; at < count; at++) {
        long done = __selvedge_recvmsg(file, &messages[at].message);
        if (done < 0)
            break;
        messages[at].length = (unsigned int)done;
    }
    return at == 0 && count > 0 ? -1 : (int)at;
}
