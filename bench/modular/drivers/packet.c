// A protocol driver that lets programs read and write packets of network adapters directly: instances that clients
// open, a filter machine, read and write paths, requests to the adapter, statistics, monitors, power and unloading. Any
// number of clients and of adapter threads call its routines at once; what the adapter does is made of values out of
// nothing.
//
// Two things race here, and look benign: a count of lost packets is read without its lock where only a rough number is
// wanted (`losses`), and a flag that the cable was pulled is set outside of the lock (`media`). Nothing else races, and
// all assertions hold.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

extern int __VERIFIER_nondet_int(void);
extern u32 __VERIFIER_nondet_uint(void);
extern u8 __VERIFIER_nondet_uchar(void);
extern u16 __VERIFIER_nondet_ushort(void);

// ---------------------------------------------------------------------------------------------------------------------
// Status codes
// ---------------------------------------------------------------------------------------------------------------------

typedef int status;

enum {
    ST_SUCCESS = 0,
    ST_PENDING = 0x103,
    ST_NOT_RECOGNIZED = 0x10001,
    ST_UNSUCCESSFUL = -1,
    ST_INVALID_PARAMETER = -2,
    ST_INVALID_REQUEST = -3,
    ST_BUFFER_TOO_SMALL = -4,
    ST_RESOURCES = -5,
    ST_CLOSING = -6,
    ST_RESET = -7,
    ST_NOT_CONNECTED = -8,
    ST_TIMEOUT = -9,
    ST_DEVICE_BUSY = -10,
    ST_NOT_SUPPORTED = -11,
    ST_DENIED = -12,
    ST_CANCELLED = -13,
    ST_END = -14,
    ST_POWERED_DOWN = -15,
};

// ---------------------------------------------------------------------------------------------------------------------
// Requests of clients
// ---------------------------------------------------------------------------------------------------------------------

enum major_function {
    MJ_CREATE,
    MJ_CLOSE,
    MJ_READ,
    MJ_WRITE,
    MJ_DEVICE_CONTROL,
    MJ_CLEANUP,
    MJ_POWER,
    MJ_LAST,
};

enum control_code {
    CTL_SET_OID,
    CTL_QUERY_OID,
    CTL_RESET,
    CTL_ENUM_ADAPTERS,
    CTL_SET_FILTER,
    CTL_GET_STATS,
    CTL_CLEAR_STATS,
    CTL_SET_MODE,
    CTL_SET_TIMEOUT,
    CTL_SET_MIN_TO_COPY,
    CTL_SET_SNAP,
    CTL_GET_EVENT,
    CTL_SET_MONITOR,
    CTL_QUICK_STATUS,
    CTL_SET_WRITE_REPEAT,
    CTL_GET_TIMESTAMP,
    CTL_ADD_MULTICAST,
    CTL_REMOVE_MULTICAST,
    CTL_GET_MEDIA,
    CTL_SET_COALESCE,
    CTL_TRACE_READ,
    CTL_TRACE_CLEAR,
    CTL_LAST,
};

// Objects of the adapter that can be asked for and set.
enum oid {
    OID_SUPPORTED_LIST = 0x00010101,
    OID_HARDWARE_STATUS = 0x00010102,
    OID_MEDIA_SUPPORTED = 0x00010103,
    OID_MEDIA_IN_USE = 0x00010104,
    OID_MAXIMUM_LOOKAHEAD = 0x00010105,
    OID_MAXIMUM_FRAME_SIZE = 0x00010106,
    OID_LINK_SPEED = 0x00010107,
    OID_TRANSMIT_BUFFER_SPACE = 0x00010108,
    OID_CURRENT_PACKET_FILTER = 0x0001010e,
    OID_CURRENT_LOOKAHEAD = 0x0001010f,
    OID_MAC_OPTIONS = 0x00010113,
    OID_MEDIA_CONNECT_STATUS = 0x00010114,
    OID_XMIT_OK = 0x00020101,
    OID_RCV_OK = 0x00020102,
    OID_PERMANENT_ADDRESS = 0x01010101,
    OID_CURRENT_ADDRESS = 0x01010102,
    OID_MULTICAST_LIST = 0x01010103,
    OID_MAXIMUM_LIST_SIZE = 0x01010104,
};

enum packet_filter {
    FILTER_DIRECTED = 0x01,
    FILTER_MULTICAST = 0x02,
    FILTER_ALL_MULTICAST = 0x04,
    FILTER_BROADCAST = 0x08,
    FILTER_PROMISCUOUS = 0x20,
    FILTER_ALL_LOCAL = 0x80,
};

enum instance_mode { MODE_CAPTURE, MODE_STATISTICS, MODE_DUMP, MODE_MONITOR, MODE_LAST };

enum power_state { PS_UNSPECIFIED, PS_D0, PS_D1, PS_D2, PS_D3 };

enum binding_state { BIND_NONE, BIND_OPENING, BIND_BOUND, BIND_CLOSING };

// ---------------------------------------------------------------------------------------------------------------------
// Sizes
// ---------------------------------------------------------------------------------------------------------------------

#define FRAME_MAX 1514
#define FRAME_MIN 60
#define HEADER_BYTES 14
#define CAPTURE_BYTES 8192
#define CAPTURE_ALIGN 4
#define RECORD_HEADER 20
#define PROGRAM_MAX 64
#define SCRATCH_WORDS 16
#define WRITE_SLOTS 48
#define WRITE_RETRIES 3
#define REQUEST_SLOTS 24
#define MULTICAST_MAX 32
#define ADDRESS_BYTES 6
#define EVENT_SLOTS 40
#define TRACE_SLOTS 256
#define LOOKAHEAD_MAX 512
#define POOL_PACKETS 80
#define MONITOR_WINDOW 20
#define COALESCE_MAX 16
#define TIMER_SLOTS 18
#define DUMP_BLOCK 512
#define DUMP_BLOCKS_MAX 10000
#define TIMEOUT_LONGEST 60000
#define LOSSES_ALARM 1000
#define REFERENCES_MAX 1000

// ---------------------------------------------------------------------------------------------------------------------
// The device extension, in parts, each with what guards it
// ---------------------------------------------------------------------------------------------------------------------

// The binding to the adapter. The state is moved by compare-and-swap; while it is opening or closing, what belongs to it
// belongs to whoever moved it.
struct binding {
    int state;
    int references;
    u32 epoch;
};

static struct binding binding;

struct binding_parameters {
    u32 medium;
    u32 maximum_frame;
    u32 lookahead;
    u32 options;
};

static pthread_mutex_t parameters_lock = PTHREAD_MUTEX_INITIALIZER;
static struct binding_parameters parameters;

// The capture buffer: a ring of bytes with a header before each packet.
struct capture {
    pthread_spinlock_t lock;
    u32 producer;
    u32 consumer;
    u32 free;
    u32 accepted;
    u32 dropped;
};

static struct capture capture;
static u8 capture_bytes[CAPTURE_BYTES];

// Readers wait for packets here.
struct read_wait {
    pthread_mutex_t lock;
    pthread_cond_t ready;
    u32 waiting;
    u32 signalled;
    int is_closing;
};

static struct read_wait read_wait = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0};

// The filter program, replaced as a whole.
struct filter {
    pthread_rwlock_t lock;
    u32 length;
    u32 generation;
};

struct instruction {
    u16 code;
    u8 if_true;
    u8 if_false;
    u32 operand;
};

static struct filter filter = {PTHREAD_RWLOCK_INITIALIZER, 0, 0};
static struct instruction program[PROGRAM_MAX];

// Packets on their way to the adapter.
struct write_queue {
    int owner;
    u32 head;
    u32 tail;
    u32 pending;
    u32 completed;
    u32 failed;
};

struct write_slot {
    u16 length;
    u8 retries;
    u8 in_use;
    u32 instance;
};

static struct write_queue writes;
static struct write_slot write_slots[WRITE_SLOTS];

// Packet descriptors, taken and given back by number.
struct pool {
    pthread_spinlock_t lock;
    u32 free_count;
    u32 first_free;
    u32 exhausted;
};

static struct pool pool;
static u8 pool_next[POOL_PACKETS];

// Requests that the adapter has not answered.
struct request_queue {
    pthread_mutex_t lock;
    pthread_cond_t answered;
    u32 outstanding;
    u32 next_ticket;
    u32 answered_count;
};

struct request_slot {
    u32 oid;
    u32 value;
    int result;
    int is_done;
};

static struct request_queue requests = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0};
static struct request_slot request_slots[REQUEST_SLOTS];

// Addresses that are listened to.
struct multicast {
    pthread_mutex_t lock;
    u32 count;
    u32 generation;
};

static struct multicast multicast = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
static u8 multicast_bytes[MULTICAST_MAX * ADDRESS_BYTES];

// Numbers for those who ask.
struct statistics {
    pthread_spinlock_t lock;
    u32 received;
    u32 received_bytes;
    u32 sent;
    u32 sent_bytes;
    u32 filtered;
    u32 resets;
};

static struct statistics statistics;

// How many packets were lost. Counted under the lock, but see `quick_status`.
struct losses {
    pthread_spinlock_t lock;
    u32 count;
    u32 alarms;
};

static struct losses losses;

// Whether the cable is in. Kept under the lock, but see `media_pulled`.
struct media {
    pthread_mutex_t lock;
    int is_connected;
    u32 changes;
    u32 speed;
};

static struct media media = {PTHREAD_MUTEX_INITIALIZER, 0, 0, 0};

// The power manager.
struct power {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int state;
    int busy;
    u32 transitions;
};

static struct power power = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PS_D0, 0, 0};

// The monitor: counts in windows of time, with a lock of its own making.
struct monitor {
    int word;
    int is_enabled;
    u32 window;
    u32 packets;
    u32 bytes;
    u32 peak;
};

static struct monitor monitor;

// Events for programs that wait for them.
struct events {
    pthread_mutex_t lock;
    u32 first;
    u32 count;
    u32 lost;
};

static struct events events = {PTHREAD_MUTEX_INITIALIZER, 0, 0, 0};
static u32 event_slots[EVENT_SLOTS];

// What happened lately, for those who look for mistakes.
struct trace {
    int word;
    u32 next;
    u32 wrapped;
    int is_on;
};

static struct trace trace;
static u32 trace_slots[TRACE_SLOTS];

// Coalescing: packets that wait for company.
struct coalesce {
    pthread_spinlock_t lock;
    u32 limit;
    u32 waiting;
    u32 flushes;
};

static struct coalesce coalesce;

// Timers of the driver.
struct timers {
    pthread_mutex_t lock;
    u32 now;
    u32 armed;
    u32 fired;
};

static struct timers timers = {PTHREAD_MUTEX_INITIALIZER, 0, 0, 0};
static u32 timer_due[TIMER_SLOTS];

// Dumping packets to a file: a state variable says who has the file.
struct dump {
    int state;
    u32 blocks;
    u32 bytes_in_block;
    u32 errors;
};

enum dump_state { DUMP_CLOSED, DUMP_IDLE, DUMP_BUSY };

static struct dump dump;
static u8 dump_block[DUMP_BLOCK];

// The clock that packets are stamped with: two words that belong together.
struct clock {
    pthread_spinlock_t lock;
    u32 seconds;
    u32 microseconds;
    u32 adjustments;
};

static struct clock wall;

// Clients inside dispatch routines, and the event that the last one sets when the driver stops.
struct gate {
    int pending;
    int is_stopping;
    int stop_event;
    int stopped;
};

static struct gate gate;

// What was deferred by those who must not wait.
struct deferred {
    int bits;
    u32 runs;
};

static struct deferred deferred;

enum {
    DEFER_WRITES = 1,
    DEFER_MEDIA = 2,
    DEFER_RESET = 4,
    DEFER_FLUSH = 8,
    DEFER_EVENTS = 16,
};

// What a client keeps of its own.
struct instance {
    int is_open;
    int mode;
    u32 number;
    u32 timeout;
    u32 minimum;
    u32 snap;
    u32 repeat;
    u32 reads;
    u32 writes;
    u32 received;
    status last;
    u8 lookahead[LOOKAHEAD_MAX];
};

// Numbers of instances.
static u32 next_instance;

// ---------------------------------------------------------------------------------------------------------------------
// Small things
// ---------------------------------------------------------------------------------------------------------------------

static u32 smaller(u32 a, u32 b) {
    return a < b ? a : b;
}

static u32 aligned(u32 length) {
    return (length + CAPTURE_ALIGN - 1) & ~(u32)(CAPTURE_ALIGN - 1);
}

static int is_success(status result) {
    return result == ST_SUCCESS;
}

static u32 adapter_word(void) {
    return __VERIFIER_nondet_uint();
}

static u8 adapter_byte(void) {
    return __VERIFIER_nondet_uchar();
}

static status adapter_status(void) {
    switch (__VERIFIER_nondet_uchar() & 7) {
    case 0:
        return ST_PENDING;
    case 1:
        return ST_RESOURCES;
    case 2:
        return ST_RESET;
    case 3:
        return ST_NOT_SUPPORTED;
    case 4:
        return ST_UNSUCCESSFUL;
    default:
        return ST_SUCCESS;
    }
}

static void defer(int bits) {
    __sync_fetch_and_or(&deferred.bits, bits);
}

// ---------------------------------------------------------------------------------------------------------------------
// The trace, with a lock made of a word
// ---------------------------------------------------------------------------------------------------------------------

static void trace_enter(void) {
    while (!__sync_bool_compare_and_swap(&trace.word, 0, 1)) {
    }
}

static void trace_leave(void) {
    __atomic_store_n(&trace.word, 0, __ATOMIC_SEQ_CST);
}

static void trace_put(u32 what) {
    trace_enter();
    if (trace.is_on) {
        if (trace.next >= TRACE_SLOTS) {
            trace.next = 0;
            trace.wrapped++;
        }
        trace_slots[trace.next] = what;
        trace.next++;
    }
    trace_leave();
}

static status trace_read(u32 back, u32 *what) {
    status result = ST_END;
    trace_enter();
    if (back < trace.next && trace.next <= TRACE_SLOTS) {
        *what = trace_slots[trace.next - 1 - back];
        result = ST_SUCCESS;
    } else if (trace.wrapped > 0 && back < TRACE_SLOTS) {
        *what = trace_slots[TRACE_SLOTS - 1 - back];
        result = ST_SUCCESS;
    }
    trace_leave();
    return result;
}

static void trace_clear(int is_on) {
    u32 at;
    trace_enter();
    for (at = 0; at < TRACE_SLOTS; at++)
        trace_slots[at] = 0;
    trace.next = 0;
    trace.wrapped = 0;
    trace.is_on = is_on;
    trace_leave();
}

// ---------------------------------------------------------------------------------------------------------------------
// The clock
// ---------------------------------------------------------------------------------------------------------------------

static void clock_tick(u32 microseconds) {
    pthread_spin_lock(&wall.lock);
    wall.microseconds += microseconds % 1024;
    if (wall.microseconds >= 1000000) {
        wall.microseconds -= 1000000;
        wall.seconds++;
    }
    pthread_spin_unlock(&wall.lock);
}

static void clock_set(u32 seconds) {
    pthread_spin_lock(&wall.lock);
    if (seconds > wall.seconds)
        wall.seconds = seconds;
    wall.microseconds = 0;
    wall.adjustments++;
    pthread_spin_unlock(&wall.lock);
}

static void clock_stamp(u32 *seconds, u32 *microseconds) {
    pthread_spin_lock(&wall.lock);
    *seconds = wall.seconds;
    *microseconds = wall.microseconds;
    pthread_spin_unlock(&wall.lock);
}

// ---------------------------------------------------------------------------------------------------------------------
// Statistics and losses
// ---------------------------------------------------------------------------------------------------------------------

static void count_received(u32 bytes) {
    pthread_spin_lock(&statistics.lock);
    statistics.received++;
    statistics.received_bytes += bytes;
    pthread_spin_unlock(&statistics.lock);
}

static void count_sent(u32 bytes) {
    pthread_spin_lock(&statistics.lock);
    statistics.sent++;
    statistics.sent_bytes += bytes;
    pthread_spin_unlock(&statistics.lock);
}

static void count_filtered(void) {
    pthread_spin_lock(&statistics.lock);
    statistics.filtered++;
    pthread_spin_unlock(&statistics.lock);
}

static void count_reset(void) {
    pthread_spin_lock(&statistics.lock);
    statistics.resets++;
    pthread_spin_unlock(&statistics.lock);
}

static void statistics_read(u32 *received, u32 *sent, u32 *filtered) {
    pthread_spin_lock(&statistics.lock);
    *received = statistics.received;
    *sent = statistics.sent;
    *filtered = statistics.filtered;
    pthread_spin_unlock(&statistics.lock);
}

static void statistics_clear(void) {
    pthread_spin_lock(&statistics.lock);
    statistics.received = 0;
    statistics.received_bytes = 0;
    statistics.sent = 0;
    statistics.sent_bytes = 0;
    statistics.filtered = 0;
    pthread_spin_unlock(&statistics.lock);
}

// Whether so many were lost that somebody should know.
static int count_loss(void) {
    int is_alarm = 0;
    pthread_spin_lock(&losses.lock);
    losses.count++;
    if (losses.count >= LOSSES_ALARM) {
        losses.alarms++;
        losses.count = 0;
        is_alarm = 1;
    }
    pthread_spin_unlock(&losses.lock);
    return is_alarm;
}

static u32 losses_take(void) {
    u32 count;
    pthread_spin_lock(&losses.lock);
    count = losses.count;
    losses.count = 0;
    pthread_spin_unlock(&losses.lock);
    return count;
}

// ---------------------------------------------------------------------------------------------------------------------
// Events
// ---------------------------------------------------------------------------------------------------------------------

enum event_code {
    EVENT_MEDIA = 1,
    EVENT_LOSSES,
    EVENT_RESET,
    EVENT_BOUND,
    EVENT_UNBOUND,
    EVENT_POWER,
    EVENT_DUMP_FULL,
};

static void event_post(u32 event) {
    pthread_mutex_lock(&events.lock);
    if (events.count >= EVENT_SLOTS) {
        events.lost++;
    } else {
        u32 at = events.first + events.count;
        if (at >= EVENT_SLOTS)
            at -= EVENT_SLOTS;
        if (at < EVENT_SLOTS)
            event_slots[at] = event;
        events.count++;
    }
    pthread_mutex_unlock(&events.lock);
}

static status event_take(u32 *event) {
    status result = ST_END;
    pthread_mutex_lock(&events.lock);
    if (events.count > 0) {
        if (events.first < EVENT_SLOTS)
            *event = event_slots[events.first];
        events.first++;
        if (events.first >= EVENT_SLOTS)
            events.first = 0;
        events.count--;
        result = ST_SUCCESS;
    }
    pthread_mutex_unlock(&events.lock);
    return result;
}

static void events_drop(void) {
    pthread_mutex_lock(&events.lock);
    events.first = 0;
    events.count = 0;
    pthread_mutex_unlock(&events.lock);
}

// ---------------------------------------------------------------------------------------------------------------------
// The packet pool: a list of numbers
// ---------------------------------------------------------------------------------------------------------------------

static status pool_take(u32 *packet) {
    status result = ST_RESOURCES;
    pthread_spin_lock(&pool.lock);
    if (pool.free_count == 0 || pool.first_free >= POOL_PACKETS) {
        pool.exhausted++;
    } else {
        *packet = pool.first_free;
        pool.first_free = pool_next[pool.first_free];
        pool.free_count--;
        result = ST_SUCCESS;
    }
    pthread_spin_unlock(&pool.lock);
    return result;
}

static void pool_give_back(u32 packet) {
    if (packet >= POOL_PACKETS)
        return;
    pthread_spin_lock(&pool.lock);
    if (pool.first_free < POOL_PACKETS)
        pool_next[packet] = (u8)pool.first_free;
    else
        pool_next[packet] = POOL_PACKETS;
    pool.first_free = packet;
    if (pool.free_count < POOL_PACKETS)
        pool.free_count++;
    pthread_spin_unlock(&pool.lock);
}

static void pool_fill(void) {
    u32 at;
    for (at = 0; at < POOL_PACKETS; at++)
        pool_next[at] = (u8)(at + 1);
    pool.first_free = 0;
    pool.free_count = POOL_PACKETS;
    pool.exhausted = 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Power
// ---------------------------------------------------------------------------------------------------------------------

static int power_may_move(int from, int to) {
    if (to < PS_D0 || to > PS_D3)
        return 0;
    switch (from) {
    case PS_D0:
        return to != PS_D0;
    case PS_D1:
    case PS_D2:
        return to == PS_D0 || to == PS_D3;
    case PS_D3:
        return to == PS_D0;
    default:
        return 0;
    }
}

static status power_set(int to) {
    status result = ST_SUCCESS;
    pthread_mutex_lock(&power.lock);
    if (!power_may_move(power.state, to)) {
        result = ST_INVALID_REQUEST;
    } else if (to != PS_D0 && power.busy > 0) {
        result = ST_DEVICE_BUSY;
    } else {
        power.state = to;
        power.transitions++;
        pthread_cond_broadcast(&power.changed);
    }
    pthread_mutex_unlock(&power.lock);
    if (is_success(result))
        event_post(EVENT_POWER);
    return result;
}

static status power_begin(void) {
    status result = ST_SUCCESS;
    pthread_mutex_lock(&power.lock);
    if (power.state != PS_D0)
        result = ST_POWERED_DOWN;
    else if (power.busy >= 1000)
        result = ST_DEVICE_BUSY;
    else
        power.busy++;
    pthread_mutex_unlock(&power.lock);
    return result;
}

static void power_end(void) {
    pthread_mutex_lock(&power.lock);
    if (power.busy > 0)
        power.busy--;
    if (power.busy == 0)
        pthread_cond_broadcast(&power.changed);
    pthread_mutex_unlock(&power.lock);
}

static void power_wait(void) {
    pthread_mutex_lock(&power.lock);
    while (power.state != PS_D0)
        pthread_cond_wait(&power.changed, &power.lock);
    assert(power.state == PS_D0);
    pthread_mutex_unlock(&power.lock);
}

static int power_now(void) {
    int state;
    pthread_mutex_lock(&power.lock);
    state = power.state;
    pthread_mutex_unlock(&power.lock);
    return state;
}

// ---------------------------------------------------------------------------------------------------------------------
// The gate: who is inside, and stopping
// ---------------------------------------------------------------------------------------------------------------------

static void gate_leave(void) {
    if (__sync_sub_and_fetch(&gate.pending, 1) == 0)
        __atomic_store_n(&gate.stop_event, 1, __ATOMIC_SEQ_CST);
}

static status gate_enter(void) {
    __sync_fetch_and_add(&gate.pending, 1);
    if (__atomic_load_n(&gate.is_stopping, __ATOMIC_SEQ_CST)) {
        gate_leave();
        return ST_CLOSING;
    }
    return ST_SUCCESS;
}

static void gate_stop(void) {
    __atomic_store_n(&gate.is_stopping, 1, __ATOMIC_SEQ_CST);
    gate_leave();
    while (!__atomic_load_n(&gate.stop_event, __ATOMIC_SEQ_CST)) {
    }
    __atomic_store_n(&gate.stopped, 1, __ATOMIC_SEQ_CST);
}

// ---------------------------------------------------------------------------------------------------------------------
// Media
// ---------------------------------------------------------------------------------------------------------------------

static void media_connected(u32 speed) {
    pthread_mutex_lock(&media.lock);
    if (!media.is_connected) {
        media.is_connected = 1;
        media.changes++;
    }
    media.speed = speed;
    pthread_mutex_unlock(&media.lock);
    event_post(EVENT_MEDIA);
}

// The cable was pulled. This is told where nobody may wait, so the flag is set at once, and the rest is done later.
static void media_pulled(void) {
    media.is_connected = 0;
    defer(DEFER_MEDIA);
}

static void media_settle(void) {
    pthread_mutex_lock(&media.lock);
    if (!media.is_connected) {
        media.speed = 0;
        media.changes++;
    }
    pthread_mutex_unlock(&media.lock);
    event_post(EVENT_MEDIA);
}

static status media_get(u32 *speed) {
    status result = ST_NOT_CONNECTED;
    pthread_mutex_lock(&media.lock);
    if (media.is_connected) {
        *speed = media.speed;
        result = ST_SUCCESS;
    }
    pthread_mutex_unlock(&media.lock);
    return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Timers
// ---------------------------------------------------------------------------------------------------------------------

static status timer_arm(u32 timer, u32 delay) {
    if (timer >= TIMER_SLOTS)
        return ST_INVALID_PARAMETER;
    pthread_mutex_lock(&timers.lock);
    if (timer_due[timer] == 0)
        timers.armed++;
    timer_due[timer] = timers.now + delay + 1;
    pthread_mutex_unlock(&timers.lock);
    return ST_SUCCESS;
}

static void timer_disarm(u32 timer) {
    if (timer >= TIMER_SLOTS)
        return;
    pthread_mutex_lock(&timers.lock);
    if (timer_due[timer] != 0) {
        timer_due[timer] = 0;
        if (timers.armed > 0)
            timers.armed--;
    }
    pthread_mutex_unlock(&timers.lock);
}

// How many are due now.
static u32 timers_advance(void) {
    u32 at, due = 0;
    pthread_mutex_lock(&timers.lock);
    timers.now++;
    for (at = 0; at < TIMER_SLOTS; at++) {
        if (timer_due[at] != 0 && timer_due[at] <= timers.now) {
            timer_due[at] = 0;
            due++;
        }
    }
    timers.fired += due;
    if (timers.armed >= due)
        timers.armed -= due;
    else
        timers.armed = 0;
    pthread_mutex_unlock(&timers.lock);
    return due;
}

// ---------------------------------------------------------------------------------------------------------------------
// The filter machine
// ---------------------------------------------------------------------------------------------------------------------

enum filter_code {
    F_LOAD_WORD = 0x20,
    F_LOAD_HALF = 0x28,
    F_LOAD_BYTE = 0x30,
    F_LOAD_IMMEDIATE = 0x00,
    F_LOAD_LENGTH = 0x80,
    F_LOAD_SCRATCH = 0x60,
    F_STORE = 0x02,
    F_STORE_INDEX = 0x03,
    F_INDEX_IMMEDIATE = 0x01,
    F_INDEX_HEADER = 0xb1,
    F_ADD = 0x04,
    F_SUBTRACT = 0x14,
    F_AND = 0x54,
    F_OR = 0x44,
    F_SHIFT_LEFT = 0x64,
    F_SHIFT_RIGHT = 0x74,
    F_NEGATE = 0x84,
    F_JUMP = 0x05,
    F_JUMP_EQUAL = 0x15,
    F_JUMP_GREATER = 0x25,
    F_JUMP_GREATER_EQUAL = 0x35,
    F_JUMP_SET = 0x45,
    F_RETURN = 0x06,
    F_RETURN_ACCUMULATOR = 0x16,
    F_TRANSFER_TO_INDEX = 0x07,
    F_TRANSFER_TO_ACCUMULATOR = 0x87,
};

static int filter_is_jump(u16 code) {
    switch (code) {
    case F_JUMP:
    case F_JUMP_EQUAL:
    case F_JUMP_GREATER:
    case F_JUMP_GREATER_EQUAL:
    case F_JUMP_SET:
        return 1;
    default:
        return 0;
    }
}

static int filter_is_known(u16 code) {
    switch (code) {
    case F_LOAD_WORD:
    case F_LOAD_HALF:
    case F_LOAD_BYTE:
    case F_LOAD_IMMEDIATE:
    case F_LOAD_LENGTH:
    case F_LOAD_SCRATCH:
    case F_STORE:
    case F_STORE_INDEX:
    case F_INDEX_IMMEDIATE:
    case F_INDEX_HEADER:
    case F_ADD:
    case F_SUBTRACT:
    case F_AND:
    case F_OR:
    case F_SHIFT_LEFT:
    case F_SHIFT_RIGHT:
    case F_NEGATE:
    case F_RETURN:
    case F_RETURN_ACCUMULATOR:
    case F_TRANSFER_TO_INDEX:
    case F_TRANSFER_TO_ACCUMULATOR:
        return 1;
    default:
        return filter_is_jump(code);
    }
}

// Whether a program may be run: with the lock held for writing.
static int filter_is_valid(u32 length) {
    u32 at;
    if (length == 0 || length > PROGRAM_MAX)
        return 0;
    for (at = 0; at < length; at++) {
        u16 code = program[at].code;
        if (!filter_is_known(code))
            return 0;
        if (filter_is_jump(code)) {
            u32 left = length - at - 1;
            if (code == F_JUMP && program[at].operand >= left)
                return 0;
            if (code != F_JUMP && (program[at].if_true >= left || program[at].if_false >= left))
                return 0;
        }
        if ((code == F_STORE || code == F_STORE_INDEX || code == F_LOAD_SCRATCH) &&
            program[at].operand >= SCRATCH_WORDS)
            return 0;
    }
    return program[length - 1].code == F_RETURN || program[length - 1].code == F_RETURN_ACCUMULATOR;
}

static status filter_set(u32 length) {
    status result = ST_SUCCESS;
    u32 at;
    if (length == 0 || length > PROGRAM_MAX)
        return ST_INVALID_PARAMETER;
    pthread_rwlock_wrlock(&filter.lock);
    filter.length = 0;
    for (at = 0; at < length; at++) {
        program[at].code = __VERIFIER_nondet_ushort();
        program[at].if_true = __VERIFIER_nondet_uchar();
        program[at].if_false = __VERIFIER_nondet_uchar();
        program[at].operand = __VERIFIER_nondet_uint();
    }
    if (filter_is_valid(length)) {
        filter.length = length;
        filter.generation++;
    } else {
        result = ST_INVALID_REQUEST;
    }
    pthread_rwlock_unlock(&filter.lock);
    return result;
}

// How many bytes of a packet are wanted, by the program as it is now: with the lock held for reading.
static u32 filter_run(u32 packet_length) {
    u32 scratch[SCRATCH_WORDS];
    u32 accumulator = 0, index = 0, at, steps;
    for (at = 0; at < SCRATCH_WORDS; at++)
        scratch[at] = 0;
    at = 0;
    for (steps = 0; steps < PROGRAM_MAX; steps++) {
        u16 code;
        u32 operand;
        if (at >= filter.length || at >= PROGRAM_MAX)
            return 0;
        code = program[at].code;
        operand = program[at].operand;
        switch (code) {
        case F_LOAD_WORD:
        case F_LOAD_HALF:
        case F_LOAD_BYTE:
            if (operand >= packet_length)
                return 0;
            accumulator = adapter_word();
            if (code == F_LOAD_HALF)
                accumulator &= 0xffff;
            else if (code == F_LOAD_BYTE)
                accumulator &= 0xff;
            break;
        case F_LOAD_IMMEDIATE:
            accumulator = operand;
            break;
        case F_LOAD_LENGTH:
            accumulator = packet_length;
            break;
        case F_LOAD_SCRATCH:
            if (operand >= SCRATCH_WORDS)
                return 0;
            accumulator = scratch[operand];
            break;
        case F_STORE:
            if (operand >= SCRATCH_WORDS)
                return 0;
            scratch[operand] = accumulator;
            break;
        case F_STORE_INDEX:
            if (operand >= SCRATCH_WORDS)
                return 0;
            scratch[operand] = index;
            break;
        case F_INDEX_IMMEDIATE:
            index = operand;
            break;
        case F_INDEX_HEADER:
            index = (adapter_byte() & 0xf) << 2;
            break;
        case F_ADD:
            accumulator += operand;
            break;
        case F_SUBTRACT:
            accumulator -= operand;
            break;
        case F_AND:
            accumulator &= operand;
            break;
        case F_OR:
            accumulator |= operand;
            break;
        case F_SHIFT_LEFT:
            accumulator <<= operand & 31;
            break;
        case F_SHIFT_RIGHT:
            accumulator >>= operand & 31;
            break;
        case F_NEGATE:
            accumulator = 0 - accumulator;
            break;
        case F_JUMP:
            at += operand;
            break;
        case F_JUMP_EQUAL:
            at += accumulator == operand ? program[at].if_true : program[at].if_false;
            break;
        case F_JUMP_GREATER:
            at += accumulator > operand ? program[at].if_true : program[at].if_false;
            break;
        case F_JUMP_GREATER_EQUAL:
            at += accumulator >= operand ? program[at].if_true : program[at].if_false;
            break;
        case F_JUMP_SET:
            at += (accumulator & operand) != 0 ? program[at].if_true : program[at].if_false;
            break;
        case F_TRANSFER_TO_INDEX:
            index = accumulator;
            break;
        case F_TRANSFER_TO_ACCUMULATOR:
            accumulator = index;
            break;
        case F_RETURN:
            return smaller(operand, packet_length);
        case F_RETURN_ACCUMULATOR:
            return smaller(accumulator, packet_length);
        default:
            return 0;
        }
        at++;
    }
    return 0;
}

static u32 filter_apply(u32 packet_length) {
    u32 wanted;
    pthread_rwlock_rdlock(&filter.lock);
    if (filter.length == 0)
        wanted = packet_length;
    else
        wanted = filter_run(packet_length);
    pthread_rwlock_unlock(&filter.lock);
    return wanted;
}

// ---------------------------------------------------------------------------------------------------------------------
// The capture ring
// ---------------------------------------------------------------------------------------------------------------------

// Where so many bytes after a place are.
static u32 capture_after(u32 at, u32 bytes) {
    u32 sum = at + bytes;
    return sum >= CAPTURE_BYTES ? sum - CAPTURE_BYTES : sum;
}

// A header and a packet, if there is room: how many bytes they take.
static u32 capture_put(u32 length, u32 seconds, u32 microseconds) {
    u32 needed = aligned(RECORD_HEADER + length);
    u32 at, byte;
    pthread_spin_lock(&capture.lock);
    if (length > FRAME_MAX || needed > capture.free) {
        capture.dropped++;
        pthread_spin_unlock(&capture.lock);
        return 0;
    }
    at = capture.producer;
    if (at < CAPTURE_BYTES) {
        capture_bytes[at] = (u8)seconds;
        at = capture_after(at, 1);
    }
    if (at < CAPTURE_BYTES) {
        capture_bytes[at] = (u8)microseconds;
        at = capture_after(at, 1);
    }
    for (byte = 0; byte < length && at < CAPTURE_BYTES; byte++) {
        capture_bytes[at] = adapter_byte();
        at = capture_after(at, 1);
    }
    capture.producer = capture_after(capture.producer, needed);
    capture.free -= needed;
    capture.accepted++;
    assert(capture.free <= CAPTURE_BYTES);
    pthread_spin_unlock(&capture.lock);
    return needed;
}

// Everything that is there, as far as a client has room.
static u32 capture_take(u32 room) {
    u32 there, taken;
    pthread_spin_lock(&capture.lock);
    there = CAPTURE_BYTES - capture.free;
    taken = smaller(there, room);
    if (taken > 0) {
        u32 at = capture.consumer, byte;
        u8 sum = 0;
        for (byte = 0; byte < taken && at < CAPTURE_BYTES; byte++) {
            sum += capture_bytes[at];
            at = capture_after(at, 1);
        }
        capture.consumer = capture_after(capture.consumer, taken);
        capture.free += taken;
    }
    assert(capture.free <= CAPTURE_BYTES);
    pthread_spin_unlock(&capture.lock);
    return taken;
}

static u32 capture_filled(void) {
    u32 filled;
    pthread_spin_lock(&capture.lock);
    filled = CAPTURE_BYTES - capture.free;
    pthread_spin_unlock(&capture.lock);
    return filled;
}

static void capture_reset(void) {
    pthread_spin_lock(&capture.lock);
    capture.producer = 0;
    capture.consumer = 0;
    capture.free = CAPTURE_BYTES;
    pthread_spin_unlock(&capture.lock);
}

// ---------------------------------------------------------------------------------------------------------------------
// Waiting for packets
// ---------------------------------------------------------------------------------------------------------------------

static void readers_wake(void) {
    pthread_mutex_lock(&read_wait.lock);
    read_wait.signalled++;
    if (read_wait.waiting > 0)
        pthread_cond_broadcast(&read_wait.ready);
    pthread_mutex_unlock(&read_wait.lock);
}

static status readers_wait(u32 minimum) {
    status result = ST_SUCCESS;
    u32 seen;
    pthread_mutex_lock(&read_wait.lock);
    seen = read_wait.signalled;
    read_wait.waiting++;
    while (!read_wait.is_closing && read_wait.signalled == seen && minimum > 0)
        pthread_cond_wait(&read_wait.ready, &read_wait.lock);
    if (read_wait.waiting > 0)
        read_wait.waiting--;
    if (read_wait.is_closing)
        result = ST_CANCELLED;
    pthread_mutex_unlock(&read_wait.lock);
    return result;
}

static void readers_close(int is_closing) {
    pthread_mutex_lock(&read_wait.lock);
    read_wait.is_closing = is_closing;
    if (is_closing)
        pthread_cond_broadcast(&read_wait.ready);
    pthread_mutex_unlock(&read_wait.lock);
}

// ---------------------------------------------------------------------------------------------------------------------
// The monitor, with a lock made of a word
// ---------------------------------------------------------------------------------------------------------------------

static void monitor_enter(void) {
    while (__sync_lock_test_and_set(&monitor.word, 1)) {
    }
}

static void monitor_leave(void) {
    __sync_lock_release(&monitor.word);
}

static void monitor_count(u32 bytes) {
    monitor_enter();
    if (monitor.is_enabled) {
        monitor.packets++;
        monitor.bytes += bytes;
        if (monitor.packets > monitor.peak)
            monitor.peak = monitor.packets;
    }
    monitor_leave();
}

static void monitor_window(void) {
    monitor_enter();
    if (monitor.is_enabled) {
        monitor.window++;
        if (monitor.window >= MONITOR_WINDOW) {
            monitor.window = 0;
            monitor.packets = 0;
            monitor.bytes = 0;
        }
        assert(monitor.window < MONITOR_WINDOW);
    }
    monitor_leave();
}

static void monitor_set(int is_enabled) {
    monitor_enter();
    monitor.is_enabled = is_enabled;
    monitor.window = 0;
    monitor.packets = 0;
    monitor.bytes = 0;
    monitor.peak = 0;
    monitor_leave();
}

static void monitor_read(u32 *packets, u32 *bytes, u32 *peak) {
    monitor_enter();
    *packets = monitor.packets;
    *bytes = monitor.bytes;
    *peak = monitor.peak;
    monitor_leave();
}

// ---------------------------------------------------------------------------------------------------------------------
// Dumping to a file: whoever moved the state from idle to busy has the block
// ---------------------------------------------------------------------------------------------------------------------

static status dump_open(void) {
    if (!__sync_bool_compare_and_swap(&dump.state, DUMP_CLOSED, DUMP_BUSY))
        return ST_DEVICE_BUSY;
    dump.blocks = 0;
    dump.bytes_in_block = 0;
    dump.errors = 0;
    __atomic_store_n(&dump.state, DUMP_IDLE, __ATOMIC_SEQ_CST);
    return ST_SUCCESS;
}

// A block is full, and goes to the file.
static status dump_flush(void) {
    status result = adapter_status();
    if (result == ST_SUCCESS || result == ST_PENDING) {
        dump.blocks++;
        dump.bytes_in_block = 0;
        return ST_SUCCESS;
    }
    dump.errors++;
    return result;
}

static status dump_write(u32 length) {
    status result = ST_SUCCESS;
    u32 at;
    if (!__sync_bool_compare_and_swap(&dump.state, DUMP_IDLE, DUMP_BUSY))
        return ST_DEVICE_BUSY;
    for (at = 0; at < length; at++) {
        if (dump.bytes_in_block >= DUMP_BLOCK) {
            result = dump_flush();
            if (!is_success(result))
                break;
        }
        if (dump.bytes_in_block < DUMP_BLOCK) {
            dump_block[dump.bytes_in_block] = adapter_byte();
            dump.bytes_in_block++;
        }
    }
    if (dump.blocks >= DUMP_BLOCKS_MAX)
        result = ST_END;
    __atomic_store_n(&dump.state, DUMP_IDLE, __ATOMIC_SEQ_CST);
    return result;
}

static status dump_close(void) {
    status result;
    if (!__sync_bool_compare_and_swap(&dump.state, DUMP_IDLE, DUMP_BUSY))
        return ST_DEVICE_BUSY;
    result = dump_flush();
    __atomic_store_n(&dump.state, DUMP_CLOSED, __ATOMIC_SEQ_CST);
    return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Coalescing
// ---------------------------------------------------------------------------------------------------------------------

// Whether readers are to be woken now.
static int coalesce_add(void) {
    int is_full = 0;
    pthread_spin_lock(&coalesce.lock);
    coalesce.waiting++;
    if (coalesce.waiting >= coalesce.limit) {
        coalesce.waiting = 0;
        coalesce.flushes++;
        is_full = 1;
    }
    pthread_spin_unlock(&coalesce.lock);
    return is_full;
}

static int coalesce_flush(void) {
    int is_any;
    pthread_spin_lock(&coalesce.lock);
    is_any = coalesce.waiting > 0;
    coalesce.waiting = 0;
    if (is_any)
        coalesce.flushes++;
    pthread_spin_unlock(&coalesce.lock);
    return is_any;
}

static status coalesce_set(u32 limit) {
    if (limit > COALESCE_MAX)
        return ST_INVALID_PARAMETER;
    pthread_spin_lock(&coalesce.lock);
    coalesce.limit = limit;
    assert(coalesce.limit <= COALESCE_MAX);
    pthread_spin_unlock(&coalesce.lock);
    return ST_SUCCESS;
}

// ---------------------------------------------------------------------------------------------------------------------
// Writing: a queue with a lock made of a word
// ---------------------------------------------------------------------------------------------------------------------

static void writes_enter(void) {
    while (!__sync_bool_compare_and_swap(&writes.owner, 0, 1)) {
    }
}

static int writes_try_enter(void) {
    return __sync_bool_compare_and_swap(&writes.owner, 0, 1);
}

static void writes_leave(void) {
    __atomic_store_n(&writes.owner, 0, __ATOMIC_SEQ_CST);
}

static u32 write_next(u32 slot) {
    return slot + 1 >= WRITE_SLOTS ? 0 : slot + 1;
}

// A packet is to be sent.
static status write_queue_put(u32 instance, u16 length) {
    status result = ST_SUCCESS;
    writes_enter();
    if (writes.pending >= WRITE_SLOTS) {
        result = ST_RESOURCES;
    } else {
        if (writes.tail < WRITE_SLOTS) {
            write_slots[writes.tail].length = length;
            write_slots[writes.tail].retries = 0;
            write_slots[writes.tail].in_use = 1;
            write_slots[writes.tail].instance = instance;
        }
        writes.tail = write_next(writes.tail);
        writes.pending++;
    }
    writes_leave();
    return result;
}

// The packet at the head: given to the adapter, with the queue held. Whether there may be more.
static int write_head(void) {
    status result;
    u16 length = 0;
    if (writes.pending == 0 || writes.head >= WRITE_SLOTS)
        return 0;
    length = write_slots[writes.head].length;
    result = adapter_status();
    switch (result) {
    case ST_SUCCESS:
    case ST_PENDING:
        write_slots[writes.head].in_use = 0;
        writes.completed++;
        break;
    case ST_RESOURCES:
        if (write_slots[writes.head].retries < WRITE_RETRIES) {
            write_slots[writes.head].retries++;
            return 0;
        }
        write_slots[writes.head].in_use = 0;
        writes.failed++;
        length = 0;
        break;
    default:
        write_slots[writes.head].in_use = 0;
        writes.failed++;
        length = 0;
        break;
    }
    writes.head = write_next(writes.head);
    writes.pending--;
    if (length > 0)
        count_sent(length);
    return writes.pending > 0;
}

// As much as the adapter takes; if somebody else is at it, that one goes on.
static status writes_run(void) {
    u32 rounds = 0;
    if (!writes_try_enter()) {
        defer(DEFER_WRITES);
        return ST_PENDING;
    }
    while (rounds < WRITE_SLOTS && write_head())
        rounds++;
    writes_leave();
    return ST_SUCCESS;
}

static void writes_abort(u32 instance) {
    u32 at;
    writes_enter();
    for (at = 0; at < WRITE_SLOTS; at++) {
        if (write_slots[at].in_use && write_slots[at].instance == instance)
            write_slots[at].length = 0;
    }
    writes_leave();
}

// ---------------------------------------------------------------------------------------------------------------------
// Requests to the adapter
// ---------------------------------------------------------------------------------------------------------------------

static status request_issue(u32 oid, u32 value, u32 *ticket) {
    status result = ST_RESOURCES;
    pthread_mutex_lock(&requests.lock);
    if (requests.outstanding < REQUEST_SLOTS) {
        u32 slot = requests.next_ticket % REQUEST_SLOTS;
        request_slots[slot].oid = oid;
        request_slots[slot].value = value;
        request_slots[slot].result = ST_PENDING;
        request_slots[slot].is_done = 0;
        *ticket = slot;
        requests.next_ticket++;
        requests.outstanding++;
        assert(requests.outstanding <= REQUEST_SLOTS);
        result = ST_SUCCESS;
    }
    pthread_mutex_unlock(&requests.lock);
    return result;
}

// The adapter answers one of them.
static void request_answer(u32 slot, status answer, u32 value) {
    if (slot >= REQUEST_SLOTS)
        return;
    pthread_mutex_lock(&requests.lock);
    if (!request_slots[slot].is_done) {
        request_slots[slot].value = value;
        request_slots[slot].result = answer;
        request_slots[slot].is_done = 1;
        requests.answered_count++;
        pthread_cond_broadcast(&requests.answered);
    }
    pthread_mutex_unlock(&requests.lock);
}

static status request_wait(u32 slot, u32 *value) {
    status result;
    u32 patience = 0;
    if (slot >= REQUEST_SLOTS)
        return ST_INVALID_PARAMETER;
    pthread_mutex_lock(&requests.lock);
    while (!request_slots[slot].is_done && patience < 100) {
        pthread_cond_wait(&requests.answered, &requests.lock);
        patience++;
    }
    if (request_slots[slot].is_done) {
        result = request_slots[slot].result;
        *value = request_slots[slot].value;
    } else {
        request_slots[slot].is_done = 1;
        result = ST_TIMEOUT;
    }
    if (requests.outstanding > 0)
        requests.outstanding--;
    pthread_mutex_unlock(&requests.lock);
    return result;
}

static void requests_fail_all(status with) {
    u32 at;
    pthread_mutex_lock(&requests.lock);
    for (at = 0; at < REQUEST_SLOTS; at++) {
        if (!request_slots[at].is_done) {
            request_slots[at].result = with;
            request_slots[at].is_done = 1;
        }
    }
    pthread_cond_broadcast(&requests.answered);
    pthread_mutex_unlock(&requests.lock);
}

static int oid_is_settable(u32 oid) {
    switch (oid) {
    case OID_CURRENT_PACKET_FILTER:
    case OID_CURRENT_LOOKAHEAD:
    case OID_MULTICAST_LIST:
        return 1;
    default:
        return 0;
    }
}

static int oid_is_cached(u32 oid) {
    switch (oid) {
    case OID_MEDIA_IN_USE:
    case OID_MAXIMUM_FRAME_SIZE:
    case OID_CURRENT_LOOKAHEAD:
    case OID_MAC_OPTIONS:
        return 1;
    default:
        return 0;
    }
}

static status oid_query_cached(u32 oid, u32 *value) {
    status result = ST_SUCCESS;
    pthread_mutex_lock(&parameters_lock);
    switch (oid) {
    case OID_MEDIA_IN_USE:
        *value = parameters.medium;
        break;
    case OID_MAXIMUM_FRAME_SIZE:
        *value = parameters.maximum_frame;
        break;
    case OID_CURRENT_LOOKAHEAD:
        *value = parameters.lookahead;
        break;
    case OID_MAC_OPTIONS:
        *value = parameters.options;
        break;
    default:
        result = ST_NOT_SUPPORTED;
        break;
    }
    pthread_mutex_unlock(&parameters_lock);
    return result;
}

static void oid_remember(u32 oid, u32 value) {
    pthread_mutex_lock(&parameters_lock);
    switch (oid) {
    case OID_MEDIA_IN_USE:
        parameters.medium = value;
        break;
    case OID_MAXIMUM_FRAME_SIZE:
        parameters.maximum_frame = smaller(value, FRAME_MAX);
        break;
    case OID_CURRENT_LOOKAHEAD:
        parameters.lookahead = smaller(value, LOOKAHEAD_MAX);
        break;
    case OID_MAC_OPTIONS:
        parameters.options = value;
        break;
    default:
        break;
    }
    pthread_mutex_unlock(&parameters_lock);
}

static status oid_query(u32 oid, u32 *value) {
    status result;
    u32 ticket = 0;
    if (oid_is_cached(oid))
        return oid_query_cached(oid, value);
    result = power_begin();
    if (!is_success(result))
        return result;
    result = request_issue(oid, 0, &ticket);
    if (is_success(result))
        result = request_wait(ticket, value);
    power_end();
    return result;
}

static status oid_set(u32 oid, u32 value) {
    status result;
    u32 ticket = 0, answer = 0;
    if (!oid_is_settable(oid))
        return ST_INVALID_REQUEST;
    result = power_begin();
    if (!is_success(result))
        return result;
    result = request_issue(oid, value, &ticket);
    if (is_success(result)) {
        result = request_wait(ticket, &answer);
        if (is_success(result))
            oid_remember(oid, value);
    }
    power_end();
    return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Multicast addresses
// ---------------------------------------------------------------------------------------------------------------------

// Where an address is, with the lock held; the count if it is not there.
static u32 multicast_find(const u8 *address) {
    u32 at, byte;
    for (at = 0; at < multicast.count && at < MULTICAST_MAX; at++) {
        int is_same = 1;
        for (byte = 0; byte < ADDRESS_BYTES; byte++) {
            if (multicast_bytes[at * ADDRESS_BYTES + byte] != address[byte])
                is_same = 0;
        }
        if (is_same)
            return at;
    }
    return multicast.count;
}

static status multicast_add(const u8 *address) {
    status result = ST_SUCCESS;
    u32 at, byte;
    pthread_mutex_lock(&multicast.lock);
    at = multicast_find(address);
    if (at < multicast.count) {
        result = ST_NOT_RECOGNIZED;
    } else if (multicast.count >= MULTICAST_MAX) {
        result = ST_RESOURCES;
    } else {
        for (byte = 0; byte < ADDRESS_BYTES; byte++)
            multicast_bytes[multicast.count * ADDRESS_BYTES + byte] = address[byte];
        multicast.count++;
        multicast.generation++;
    }
    pthread_mutex_unlock(&multicast.lock);
    return result;
}

static status multicast_remove(const u8 *address) {
    status result = ST_INVALID_REQUEST;
    u32 at, byte;
    pthread_mutex_lock(&multicast.lock);
    at = multicast_find(address);
    if (at < multicast.count && at < MULTICAST_MAX && multicast.count <= MULTICAST_MAX) {
        u32 last = multicast.count - 1;
        for (byte = 0; byte < ADDRESS_BYTES; byte++)
            multicast_bytes[at * ADDRESS_BYTES + byte] = multicast_bytes[last * ADDRESS_BYTES + byte];
        multicast.count = last;
        multicast.generation++;
        result = ST_SUCCESS;
    }
    pthread_mutex_unlock(&multicast.lock);
    return result;
}

static int multicast_is_wanted(u8 first_byte) {
    int is_wanted = 0;
    u32 at;
    pthread_mutex_lock(&multicast.lock);
    for (at = 0; at < multicast.count && at < MULTICAST_MAX; at++) {
        if (multicast_bytes[at * ADDRESS_BYTES] == first_byte)
            is_wanted = 1;
    }
    pthread_mutex_unlock(&multicast.lock);
    return is_wanted;
}

// ---------------------------------------------------------------------------------------------------------------------
// The binding
// ---------------------------------------------------------------------------------------------------------------------

static status binding_take(void) {
    int references = __atomic_load_n(&binding.references, __ATOMIC_SEQ_CST);
    do {
        if (references < 0 || references >= REFERENCES_MAX)
            return ST_DEVICE_BUSY;
        if (__atomic_load_n(&binding.state, __ATOMIC_SEQ_CST) != BIND_BOUND)
            return ST_NOT_CONNECTED;
    } while (!__atomic_compare_exchange_n(&binding.references, &references, references + 1, 0, __ATOMIC_SEQ_CST,
                                          __ATOMIC_SEQ_CST));
    return ST_SUCCESS;
}

static void binding_give_back(void) {
    __sync_fetch_and_sub(&binding.references, 1);
}

static status bind(void) {
    status result;
    if (!__sync_bool_compare_and_swap(&binding.state, BIND_NONE, BIND_OPENING))
        return ST_DEVICE_BUSY;
    binding.epoch++;
    pthread_mutex_lock(&parameters_lock);
    parameters.medium = adapter_word();
    parameters.maximum_frame = smaller(adapter_word(), FRAME_MAX);
    parameters.lookahead = smaller(adapter_word(), LOOKAHEAD_MAX);
    parameters.options = adapter_word();
    assert(parameters.maximum_frame <= FRAME_MAX);
    pthread_mutex_unlock(&parameters_lock);
    result = adapter_status();
    if (is_success(result)) {
        __atomic_store_n(&binding.state, BIND_BOUND, __ATOMIC_SEQ_CST);
        event_post(EVENT_BOUND);
    } else {
        __atomic_store_n(&binding.state, BIND_NONE, __ATOMIC_SEQ_CST);
    }
    return result;
}

static status unbind(void) {
    if (!__sync_bool_compare_and_swap(&binding.state, BIND_BOUND, BIND_CLOSING))
        return ST_NOT_CONNECTED;
    readers_close(1);
    requests_fail_all(ST_CLOSING);
    while (__atomic_load_n(&binding.references, __ATOMIC_SEQ_CST) > 0) {
    }
    binding.epoch++;
    capture_reset();
    events_drop();
    readers_close(0);
    __atomic_store_n(&binding.state, BIND_NONE, __ATOMIC_SEQ_CST);
    event_post(EVENT_UNBOUND);
    return ST_SUCCESS;
}

// ---------------------------------------------------------------------------------------------------------------------
// What the adapter indicates
// ---------------------------------------------------------------------------------------------------------------------

static int receive_is_wanted(u32 packet_filter, u8 first_byte) {
    if (packet_filter & FILTER_PROMISCUOUS)
        return 1;
    if (first_byte == 0xff)
        return (packet_filter & FILTER_BROADCAST) != 0;
    if (first_byte & 1) {
        if (packet_filter & FILTER_ALL_MULTICAST)
            return 1;
        return (packet_filter & FILTER_MULTICAST) != 0 && multicast_is_wanted(first_byte);
    }
    return (packet_filter & (FILTER_DIRECTED | FILTER_ALL_LOCAL)) != 0;
}

// A packet has come.
static status receive_indicate(u32 packet_filter, u32 length) {
    u32 wanted, seconds = 0, microseconds = 0, packet = 0;
    status result;
    if (length < HEADER_BYTES || length > FRAME_MAX)
        return ST_INVALID_PARAMETER;
    if (!receive_is_wanted(packet_filter, adapter_byte())) {
        count_filtered();
        return ST_NOT_RECOGNIZED;
    }
    wanted = filter_apply(length);
    if (wanted == 0) {
        count_filtered();
        return ST_NOT_RECOGNIZED;
    }
    result = pool_take(&packet);
    if (!is_success(result)) {
        if (count_loss())
            event_post(EVENT_LOSSES);
        return result;
    }
    clock_stamp(&seconds, &microseconds);
    monitor_count(length);
    if (capture_put(wanted, seconds, microseconds) == 0) {
        if (count_loss())
            event_post(EVENT_LOSSES);
        result = ST_RESOURCES;
    } else {
        count_received(wanted);
        if (coalesce_add())
            readers_wake();
    }
    pool_give_back(packet);
    return result;
}

static void status_indicate(u32 code, u32 value) {
    switch (code & 7) {
    case 0:
        media_connected(value);
        break;
    case 1:
        media_pulled();
        break;
    case 2:
        count_reset();
        event_post(EVENT_RESET);
        break;
    case 3:
        defer(DEFER_RESET);
        break;
    case 4:
        clock_set(value);
        break;
    default:
        trace_put(code);
        break;
    }
}

static void complete_indicate(u32 slot, u32 value) {
    status answer = adapter_status();
    if (answer == ST_PENDING)
        answer = ST_SUCCESS;
    request_answer(slot % REQUEST_SLOTS, answer, value);
}

// ---------------------------------------------------------------------------------------------------------------------
// Ports: on the heap, one for each kind of traffic, each with its lock in it
// ---------------------------------------------------------------------------------------------------------------------

#define TOKENS_MAX 4096

struct port {
    pthread_mutex_t lock;
    u32 tokens;
    u32 rate;
    u32 passed;
    u32 held_back;
    int is_paused;
};

static struct port *port_make(u32 rate) {
    struct port *port = malloc(sizeof *port);
    if (port == 0)
        return 0;
    pthread_mutex_init(&port->lock, 0);
    port->tokens = TOKENS_MAX;
    port->rate = rate;
    port->passed = 0;
    port->held_back = 0;
    port->is_paused = 0;
    return port;
}

static status port_pass(struct port *port, u32 length) {
    status result = ST_SUCCESS;
    pthread_mutex_lock(&port->lock);
    if (port->is_paused || port->tokens < length) {
        port->held_back++;
        result = ST_DEVICE_BUSY;
    } else {
        port->tokens -= length;
        port->passed++;
    }
    pthread_mutex_unlock(&port->lock);
    return result;
}

static void port_refill(struct port *port) {
    pthread_mutex_lock(&port->lock);
    if (!port->is_paused) {
        if (port->tokens + port->rate > TOKENS_MAX || port->tokens + port->rate < port->tokens)
            port->tokens = TOKENS_MAX;
        else
            port->tokens += port->rate;
    }
    pthread_mutex_unlock(&port->lock);
}

static void port_pause(struct port *port, int is_paused) {
    pthread_mutex_lock(&port->lock);
    port->is_paused = is_paused;
    if (!is_paused)
        port->tokens = 0;
    pthread_mutex_unlock(&port->lock);
}

// ---------------------------------------------------------------------------------------------------------------------
// Loopback: packets that were sent and are to be seen by other instances
// ---------------------------------------------------------------------------------------------------------------------

#define LOOPBACK_SLOTS 30

struct loopback {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    u32 first;
    u32 count;
    u32 overrun;
    int is_on;
};

static struct loopback loopback = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0, 0};
static u16 loopback_length[LOOPBACK_SLOTS];
static u32 loopback_sender[LOOPBACK_SLOTS];

static u32 loopback_index(u32 first, u32 offset) {
    u32 at = first + offset;
    if (at >= LOOPBACK_SLOTS)
        at -= LOOPBACK_SLOTS;
    return at;
}

static void loopback_put(u32 sender, u16 length) {
    pthread_mutex_lock(&loopback.lock);
    if (loopback.is_on) {
        if (loopback.count >= LOOPBACK_SLOTS) {
            loopback.overrun++;
            loopback.first = loopback_index(loopback.first, 1);
            loopback.count--;
        }
        {
            u32 at = loopback_index(loopback.first, loopback.count);
            if (at < LOOPBACK_SLOTS) {
                loopback_length[at] = length;
                loopback_sender[at] = sender;
            }
        }
        loopback.count++;
        pthread_cond_signal(&loopback.filled);
    }
    pthread_mutex_unlock(&loopback.lock);
}

// The next packet of somebody else.
static status loopback_take(u32 reader, u16 *length) {
    status result = ST_END;
    pthread_mutex_lock(&loopback.lock);
    while (loopback.count > 0 && result == ST_END) {
        u32 at = loopback.first;
        if (at < LOOPBACK_SLOTS && loopback_sender[at] != reader) {
            *length = loopback_length[at];
            result = ST_SUCCESS;
        }
        loopback.first = loopback_index(loopback.first, 1);
        loopback.count--;
    }
    pthread_mutex_unlock(&loopback.lock);
    return result;
}

static void loopback_set(int is_on) {
    pthread_mutex_lock(&loopback.lock);
    loopback.is_on = is_on;
    loopback.first = 0;
    loopback.count = 0;
    if (!is_on)
        pthread_cond_broadcast(&loopback.filled);
    pthread_mutex_unlock(&loopback.lock);
}

// ---------------------------------------------------------------------------------------------------------------------
// Sessions: pairs of addresses that talk to each other, by hash
// ---------------------------------------------------------------------------------------------------------------------

#define SESSION_SLOTS 128
#define SESSION_PROBES 8
#define SESSION_AGE_MAX 30

struct session {
    u32 from;
    u32 to;
    u32 packets;
    u8 age;
    u8 in_use;
};

struct session_table {
    pthread_rwlock_t lock;
    u32 used;
    u32 evicted;
    u32 collisions;
};

static struct session_table sessions = {PTHREAD_RWLOCK_INITIALIZER, 0, 0, 0};
static struct session session_slots[SESSION_SLOTS];

static u32 session_hash(u32 from, u32 to) {
    u32 mixed = from ^ (to << 5) ^ (to >> 7);
    mixed ^= mixed >> 16;
    return mixed & (SESSION_SLOTS - 1);
}

// With the lock held, for reading at least.
static u32 session_find(u32 from, u32 to) {
    u32 probe, slot = session_hash(from, to);
    for (probe = 0; probe < SESSION_PROBES; probe++) {
        u32 at = (slot + probe) & (SESSION_SLOTS - 1);
        if (session_slots[at].in_use && session_slots[at].from == from && session_slots[at].to == to)
            return at;
    }
    return SESSION_SLOTS;
}

static status session_lookup(u32 from, u32 to, u32 *packets) {
    status result = ST_END;
    u32 at;
    pthread_rwlock_rdlock(&sessions.lock);
    at = session_find(from, to);
    if (at < SESSION_SLOTS) {
        *packets = session_slots[at].packets;
        result = ST_SUCCESS;
    }
    pthread_rwlock_unlock(&sessions.lock);
    return result;
}

static void session_note(u32 from, u32 to) {
    u32 at, probe;
    pthread_rwlock_wrlock(&sessions.lock);
    at = session_find(from, to);
    if (at >= SESSION_SLOTS) {
        u32 slot = session_hash(from, to), oldest = slot & (SESSION_SLOTS - 1);
        for (probe = 0; probe < SESSION_PROBES; probe++) {
            u32 candidate = (slot + probe) & (SESSION_SLOTS - 1);
            if (!session_slots[candidate].in_use) {
                oldest = candidate;
                break;
            }
            sessions.collisions++;
            if (session_slots[candidate].age > session_slots[oldest].age)
                oldest = candidate;
        }
        if (session_slots[oldest].in_use)
            sessions.evicted++;
        else if (sessions.used < SESSION_SLOTS)
            sessions.used++;
        session_slots[oldest].from = from;
        session_slots[oldest].to = to;
        session_slots[oldest].packets = 0;
        session_slots[oldest].in_use = 1;
        at = oldest;
    }
    session_slots[at].packets++;
    session_slots[at].age = 0;
    pthread_rwlock_unlock(&sessions.lock);
}

static u32 sessions_age(void) {
    u32 at, removed = 0;
    pthread_rwlock_wrlock(&sessions.lock);
    for (at = 0; at < SESSION_SLOTS; at++) {
        if (!session_slots[at].in_use)
            continue;
        if (session_slots[at].age >= SESSION_AGE_MAX) {
            session_slots[at].in_use = 0;
            removed++;
        } else {
            session_slots[at].age++;
        }
    }
    if (sessions.used >= removed)
        sessions.used -= removed;
    else
        sessions.used = 0;
    pthread_rwlock_unlock(&sessions.lock);
    return removed;
}

// ---------------------------------------------------------------------------------------------------------------------
// Tags of virtual networks
// ---------------------------------------------------------------------------------------------------------------------

#define TAGS_MAX 4096

struct tags {
    pthread_spinlock_t lock;
    u32 enabled;
    u32 rejected;
    int is_strict;
};

static struct tags tags;
static u8 tag_bits[TAGS_MAX / 8];

static int tag_is_enabled(u32 tag) {
    int is_enabled = 0;
    if (tag >= TAGS_MAX)
        return 0;
    pthread_spin_lock(&tags.lock);
    if (!tags.is_strict)
        is_enabled = 1;
    else if (tag_bits[tag / 8] & (1 << (tag & 7)))
        is_enabled = 1;
    else
        tags.rejected++;
    pthread_spin_unlock(&tags.lock);
    return is_enabled;
}

static status tag_set(u32 tag, int is_enabled) {
    u8 bit;
    if (tag >= TAGS_MAX)
        return ST_INVALID_PARAMETER;
    bit = (u8)(1 << (tag & 7));
    pthread_spin_lock(&tags.lock);
    if (is_enabled && !(tag_bits[tag / 8] & bit)) {
        tag_bits[tag / 8] |= bit;
        tags.enabled++;
    } else if (!is_enabled && (tag_bits[tag / 8] & bit)) {
        tag_bits[tag / 8] &= (u8)~bit;
        if (tags.enabled > 0)
            tags.enabled--;
    }
    pthread_spin_unlock(&tags.lock);
    return ST_SUCCESS;
}

static void tags_set_strict(int is_strict) {
    pthread_spin_lock(&tags.lock);
    tags.is_strict = is_strict;
    tags.rejected = 0;
    pthread_spin_unlock(&tags.lock);
}

// ---------------------------------------------------------------------------------------------------------------------
// The neighbour cache: which hardware address an address has; filled by whoever asks first
// ---------------------------------------------------------------------------------------------------------------------

#define NEIGHBOURS 64

enum neighbour_state { NEIGHBOUR_NONE, NEIGHBOUR_ASKED, NEIGHBOUR_KNOWN, NEIGHBOUR_STALE };

struct neighbour {
    u32 address;
    u32 hardware;
    u8 state;
    u8 tries;
};

struct neighbour_cache {
    pthread_mutex_t lock;
    pthread_cond_t resolved;
    u32 hits;
    u32 misses;
    u32 asked;
};

static struct neighbour_cache neighbours = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0};
static struct neighbour neighbour_slots[NEIGHBOURS];

static u32 neighbour_slot(u32 address) {
    return (address ^ (address >> 6) ^ (address >> 12)) & (NEIGHBOURS - 1);
}

static status neighbour_resolve(u32 address, u32 *hardware) {
    status result;
    u32 slot = neighbour_slot(address), patience = 0;
    pthread_mutex_lock(&neighbours.lock);
    if (neighbour_slots[slot].state == NEIGHBOUR_KNOWN && neighbour_slots[slot].address == address) {
        neighbours.hits++;
    } else {
        neighbours.misses++;
        neighbour_slots[slot].address = address;
        neighbour_slots[slot].state = NEIGHBOUR_ASKED;
        neighbour_slots[slot].tries = 0;
        neighbours.asked++;
        while (neighbour_slots[slot].state == NEIGHBOUR_ASKED && patience < 3) {
            pthread_cond_wait(&neighbours.resolved, &neighbours.lock);
            patience++;
        }
    }
    if (neighbour_slots[slot].state == NEIGHBOUR_KNOWN && neighbour_slots[slot].address == address) {
        *hardware = neighbour_slots[slot].hardware;
        result = ST_SUCCESS;
    } else {
        result = ST_TIMEOUT;
    }
    pthread_mutex_unlock(&neighbours.lock);
    return result;
}

static void neighbour_answer(u32 address, u32 hardware) {
    u32 slot = neighbour_slot(address);
    pthread_mutex_lock(&neighbours.lock);
    if (neighbour_slots[slot].address == address && neighbour_slots[slot].state != NEIGHBOUR_NONE) {
        neighbour_slots[slot].hardware = hardware;
        neighbour_slots[slot].state = NEIGHBOUR_KNOWN;
        if (neighbours.asked > 0)
            neighbours.asked--;
        pthread_cond_broadcast(&neighbours.resolved);
    }
    pthread_mutex_unlock(&neighbours.lock);
}

static void neighbours_age(void) {
    u32 at;
    pthread_mutex_lock(&neighbours.lock);
    for (at = 0; at < NEIGHBOURS; at++) {
        switch (neighbour_slots[at].state) {
        case NEIGHBOUR_KNOWN:
            neighbour_slots[at].state = NEIGHBOUR_STALE;
            break;
        case NEIGHBOUR_STALE:
            neighbour_slots[at].state = NEIGHBOUR_NONE;
            break;
        case NEIGHBOUR_ASKED:
            if (neighbour_slots[at].tries >= 3)
                neighbour_slots[at].state = NEIGHBOUR_NONE;
            else
                neighbour_slots[at].tries++;
            break;
        default:
            break;
        }
    }
    pthread_cond_broadcast(&neighbours.resolved);
    pthread_mutex_unlock(&neighbours.lock);
}

// ---------------------------------------------------------------------------------------------------------------------
// Fragments of packets that are put together: a slot belongs to whoever took it
// ---------------------------------------------------------------------------------------------------------------------

struct assembly {
    int owner;
    u32 identification;
    u32 bytes;
    u32 total;
    u32 finished;
    u32 abandoned;
};

static struct assembly assembly;
static u8 assembly_bytes[2048];

static status assembly_add(u32 identification, u32 offset, u32 length, int is_last) {
    status result = ST_PENDING;
    u32 at;
    if (offset > 2048 || length > 2048 || offset + length > 2048)
        return ST_INVALID_PARAMETER;
    while (!__sync_bool_compare_and_swap(&assembly.owner, 0, 1)) {
    }
    if (assembly.identification != identification) {
        if (assembly.bytes > 0)
            assembly.abandoned++;
        assembly.identification = identification;
        assembly.bytes = 0;
        assembly.total = 0;
    }
    for (at = 0; at < length; at++)
        assembly_bytes[offset + at] = adapter_byte();
    assembly.bytes += length;
    if (is_last)
        assembly.total = offset + length;
    if (assembly.total != 0 && assembly.bytes >= assembly.total) {
        assembly.finished++;
        assembly.bytes = 0;
        assembly.total = 0;
        result = ST_SUCCESS;
    }
    __atomic_store_n(&assembly.owner, 0, __ATOMIC_SEQ_CST);
    return result;
}

static void assembly_abandon(void) {
    while (!__sync_bool_compare_and_swap(&assembly.owner, 0, 1)) {
    }
    if (assembly.bytes > 0) {
        assembly.abandoned++;
        assembly.bytes = 0;
    }
    __atomic_store_n(&assembly.owner, 0, __ATOMIC_SEQ_CST);
}

// ---------------------------------------------------------------------------------------------------------------------
// Configuration, as it would be read from a registry
// ---------------------------------------------------------------------------------------------------------------------

enum configuration_key {
    KEY_BUFFERS,
    KEY_TIMEOUT,
    KEY_LOOPBACK,
    KEY_STRICT_TAGS,
    KEY_TRACE,
    KEY_COALESCE,
    KEY_LAST,
};

struct configuration {
    pthread_mutex_t lock;
    u32 version;
    u32 buffers;
    u32 timeout;
    u32 coalesce;
    int is_loopback;
    int is_strict;
    int is_traced;
};

static struct configuration configuration = {PTHREAD_MUTEX_INITIALIZER, 0, 1, 1000, 1, 0, 0, 0};

static status configuration_set(u32 key, u32 value) {
    status result = ST_SUCCESS;
    pthread_mutex_lock(&configuration.lock);
    switch (key) {
    case KEY_BUFFERS:
        if (value == 0 || value > 64)
            result = ST_INVALID_PARAMETER;
        else
            configuration.buffers = value;
        break;
    case KEY_TIMEOUT:
        if (value > TIMEOUT_LONGEST)
            result = ST_INVALID_PARAMETER;
        else
            configuration.timeout = value;
        break;
    case KEY_LOOPBACK:
        configuration.is_loopback = value != 0;
        break;
    case KEY_STRICT_TAGS:
        configuration.is_strict = value != 0;
        break;
    case KEY_TRACE:
        configuration.is_traced = value != 0;
        break;
    case KEY_COALESCE:
        if (value > COALESCE_MAX)
            result = ST_INVALID_PARAMETER;
        else
            configuration.coalesce = value;
        break;
    default:
        result = ST_NOT_RECOGNIZED;
        break;
    }
    if (is_success(result))
        configuration.version++;
    assert(configuration.timeout <= TIMEOUT_LONGEST);
    pthread_mutex_unlock(&configuration.lock);
    return result;
}

static void configuration_apply(void) {
    u32 limit;
    int is_loopback, is_strict, is_traced;
    pthread_mutex_lock(&configuration.lock);
    limit = configuration.coalesce;
    is_loopback = configuration.is_loopback;
    is_strict = configuration.is_strict;
    is_traced = configuration.is_traced;
    pthread_mutex_unlock(&configuration.lock);
    coalesce_set(limit);
    loopback_set(is_loopback);
    tags_set_strict(is_strict);
    trace_clear(is_traced);
}

static u32 configuration_timeout(void) {
    u32 timeout;
    pthread_mutex_lock(&configuration.lock);
    timeout = configuration.timeout;
    pthread_mutex_unlock(&configuration.lock);
    return timeout;
}

// ---------------------------------------------------------------------------------------------------------------------
// The watchdog: whether the threads of the driver still move
// ---------------------------------------------------------------------------------------------------------------------

enum watched { WATCHED_RECEIVE, WATCHED_DEFERRED, WATCHED_TIMER, WATCHED_COUNT };

struct watchdog {
    int word;
    u32 checks;
    u32 barks;
    u32 silent;
};

static struct watchdog watchdog;
static u32 watchdog_beats[WATCHED_COUNT];

static void watchdog_beat(u32 who) {
    if (who >= WATCHED_COUNT)
        return;
    while (__sync_lock_test_and_set(&watchdog.word, 1)) {
    }
    watchdog_beats[who]++;
    __sync_lock_release(&watchdog.word);
}

static int watchdog_check(void) {
    int is_silent = 0;
    u32 who;
    while (__sync_lock_test_and_set(&watchdog.word, 1)) {
    }
    watchdog.checks++;
    for (who = 0; who < WATCHED_COUNT; who++) {
        if (watchdog_beats[who] == 0)
            is_silent = 1;
        watchdog_beats[who] = 0;
    }
    if (is_silent) {
        watchdog.silent++;
        if (watchdog.silent >= 3) {
            watchdog.silent = 0;
            watchdog.barks++;
        }
    } else {
        watchdog.silent = 0;
    }
    assert(watchdog.silent < 3);
    __sync_lock_release(&watchdog.word);
    return is_silent;
}

// ---------------------------------------------------------------------------------------------------------------------
// The scheduler: classes of packets that wait, and whose turn it is
// ---------------------------------------------------------------------------------------------------------------------

#define CLASSES 20
#define CLASS_QUEUE 16
#define QUANTUM 1500

struct scheduler {
    pthread_spinlock_t lock;
    u32 turn;
    u32 waiting;
    u32 served;
    u32 refused;
};

static struct scheduler scheduler;
static u16 class_first[CLASSES];
static u16 class_count[CLASSES];
static u32 class_deficit[CLASSES];
static u16 class_lengths[CLASSES * CLASS_QUEUE];

static u32 scheduler_class(u32 priority, u32 address) {
    u32 class = (priority & 3) * 5 + (address & 3);
    return class < CLASSES ? class : CLASSES - 1;
}

static status scheduler_put(u32 class, u16 length) {
    status result = ST_RESOURCES;
    if (class >= CLASSES)
        return ST_INVALID_PARAMETER;
    pthread_spin_lock(&scheduler.lock);
    if (class_count[class] < CLASS_QUEUE && class_first[class] < CLASS_QUEUE) {
        u32 at = class_first[class] + class_count[class];
        if (at >= CLASS_QUEUE)
            at -= CLASS_QUEUE;
        class_lengths[class * CLASS_QUEUE + at % CLASS_QUEUE] = length;
        class_count[class]++;
        scheduler.waiting++;
        result = ST_SUCCESS;
    } else {
        scheduler.refused++;
    }
    pthread_spin_unlock(&scheduler.lock);
    return result;
}

// The next packet, by deficits: a class that has saved up enough may send.
static u16 scheduler_take(void) {
    u16 length = 0;
    u32 looked;
    pthread_spin_lock(&scheduler.lock);
    for (looked = 0; looked < CLASSES && length == 0; looked++) {
        u32 class = scheduler.turn;
        if (class >= CLASSES)
            class = 0;
        if (class_count[class] == 0 || class_first[class] >= CLASS_QUEUE) {
            class_deficit[class] = 0;
        } else {
            u16 first = class_lengths[class * CLASS_QUEUE + class_first[class]];
            class_deficit[class] += QUANTUM;
            if (class_deficit[class] >= first) {
                class_deficit[class] -= first;
                class_first[class] = (u16)(class_first[class] + 1 == CLASS_QUEUE ? 0 : class_first[class] + 1);
                class_count[class]--;
                length = first;
                if (scheduler.waiting > 0)
                    scheduler.waiting--;
                scheduler.served++;
            }
        }
        scheduler.turn = class + 1 >= CLASSES ? 0 : class + 1;
    }
    pthread_spin_unlock(&scheduler.lock);
    return length;
}

static void scheduler_drop(u32 class) {
    if (class >= CLASSES)
        return;
    pthread_spin_lock(&scheduler.lock);
    if (scheduler.waiting >= class_count[class])
        scheduler.waiting -= class_count[class];
    else
        scheduler.waiting = 0;
    class_count[class] = 0;
    class_first[class] = 0;
    class_deficit[class] = 0;
    pthread_spin_unlock(&scheduler.lock);
}

// ---------------------------------------------------------------------------------------------------------------------
// Checksums that the adapter may compute itself
// ---------------------------------------------------------------------------------------------------------------------

enum offload { OFFLOAD_NONE = 0, OFFLOAD_IP = 1, OFFLOAD_TRANSPORT = 2, OFFLOAD_SEGMENTS = 4 };

struct offload_state {
    pthread_rwlock_t lock;
    u32 capabilities;
    u32 enabled;
    u32 largest_segment;
};

static struct offload_state offload = {PTHREAD_RWLOCK_INITIALIZER, 0, 0, FRAME_MAX};

static void offload_learn(u32 capabilities) {
    pthread_rwlock_wrlock(&offload.lock);
    offload.capabilities = capabilities & (OFFLOAD_IP | OFFLOAD_TRANSPORT | OFFLOAD_SEGMENTS);
    offload.enabled &= offload.capabilities;
    if (!(offload.capabilities & OFFLOAD_SEGMENTS))
        offload.largest_segment = FRAME_MAX;
    pthread_rwlock_unlock(&offload.lock);
}

static status offload_enable(u32 wanted) {
    status result = ST_SUCCESS;
    pthread_rwlock_wrlock(&offload.lock);
    if ((wanted & ~offload.capabilities) != 0)
        result = ST_NOT_SUPPORTED;
    else
        offload.enabled = wanted;
    pthread_rwlock_unlock(&offload.lock);
    return result;
}

static int offload_covers(u32 what, u32 length) {
    int is_covered;
    pthread_rwlock_rdlock(&offload.lock);
    is_covered = (offload.enabled & what) == what && length <= offload.largest_segment;
    pthread_rwlock_unlock(&offload.lock);
    return is_covered;
}

static u16 checksum_words(u32 words) {
    u32 sum = 0, at;
    for (at = 0; at < words; at++) {
        sum += __VERIFIER_nondet_ushort();
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return (u16)~sum;
}

static status checksum_verify(u32 length) {
    if (offload_covers(OFFLOAD_IP | OFFLOAD_TRANSPORT, length))
        return ST_SUCCESS;
    if (length < HEADER_BYTES + 20)
        return ST_INVALID_PARAMETER;
    return checksum_words(10) == 0 ? ST_SUCCESS : ST_UNSUCCESSFUL;
}

// ---------------------------------------------------------------------------------------------------------------------
// Pieces of memory for clients: whole pages, counted
// ---------------------------------------------------------------------------------------------------------------------

#define PAGES 96

struct pages {
    int owner;
    u32 free_count;
    u32 lowest;
    u32 failures;
    u32 highest_use;
};

static struct pages pages;
static u8 page_used[PAGES];

static void pages_enter(void) {
    while (!__sync_bool_compare_and_swap(&pages.owner, 0, 1)) {
    }
}

static void pages_leave(void) {
    __atomic_store_n(&pages.owner, 0, __ATOMIC_SEQ_CST);
}

static status page_take(u32 *page) {
    status result = ST_RESOURCES;
    u32 at;
    pages_enter();
    for (at = pages.lowest; at < PAGES; at++) {
        if (!page_used[at]) {
            page_used[at] = 1;
            *page = at;
            pages.lowest = at + 1;
            if (pages.free_count > 0)
                pages.free_count--;
            result = ST_SUCCESS;
            break;
        }
    }
    if (!is_success(result))
        pages.failures++;
    else if (PAGES - pages.free_count > pages.highest_use)
        pages.highest_use = PAGES - pages.free_count;
    pages_leave();
    return result;
}

static void page_give_back(u32 page) {
    if (page >= PAGES)
        return;
    pages_enter();
    if (page_used[page]) {
        page_used[page] = 0;
        if (pages.free_count < PAGES)
            pages.free_count++;
        if (page < pages.lowest)
            pages.lowest = page;
    }
    pages_leave();
}

// ---------------------------------------------------------------------------------------------------------------------
// A histogram of packet lengths, in a lock-free way: one buffer is filled while the other is read
// ---------------------------------------------------------------------------------------------------------------------

#define BUCKETS 24

enum histogram_state { HISTOGRAM_FREE, HISTOGRAM_FILLING, HISTOGRAM_READING };

struct histogram {
    int state;
    u32 samples;
    u32 skipped;
    u32 readings;
};

static struct histogram histogram;
static u32 histogram_buckets[BUCKETS];

static u32 histogram_bucket(u32 length) {
    u32 bucket = length / 64;
    return bucket < BUCKETS ? bucket : BUCKETS - 1;
}

// Samples are skipped while somebody else is at it.
static void histogram_add(u32 length) {
    if (!__sync_bool_compare_and_swap(&histogram.state, HISTOGRAM_FREE, HISTOGRAM_FILLING))
        return;
    histogram_buckets[histogram_bucket(length)]++;
    histogram.samples++;
    __atomic_store_n(&histogram.state, HISTOGRAM_FREE, __ATOMIC_SEQ_CST);
}

static status histogram_read(u32 *most) {
    u32 at, highest = 0;
    if (!__sync_bool_compare_and_swap(&histogram.state, HISTOGRAM_FREE, HISTOGRAM_READING))
        return ST_DEVICE_BUSY;
    for (at = 0; at < BUCKETS; at++) {
        if (histogram_buckets[at] > highest) {
            highest = histogram_buckets[at];
            *most = at;
        }
        histogram_buckets[at] = 0;
    }
    histogram.samples = 0;
    histogram.readings++;
    __atomic_store_n(&histogram.state, HISTOGRAM_FREE, __ATOMIC_SEQ_CST);
    return ST_SUCCESS;
}

// ---------------------------------------------------------------------------------------------------------------------
// Rules: which programs may do what
// ---------------------------------------------------------------------------------------------------------------------

#define RULES 40

enum right { RIGHT_READ = 1, RIGHT_WRITE = 2, RIGHT_CONTROL = 4, RIGHT_POWER = 8 };

struct rule {
    u32 from;
    u32 to;
    u8 rights;
    u8 in_use;
};

struct rule_table {
    pthread_rwlock_t lock;
    u32 count;
    u32 denials;
    int denies_unknown;
};

static struct rule_table rules = {PTHREAD_RWLOCK_INITIALIZER, 0, 0, 0};
static struct rule rule_slots[RULES];
static u32 rule_denials;

static int rule_allows(u32 number, u32 right) {
    int is_allowed;
    u32 at;
    pthread_rwlock_rdlock(&rules.lock);
    is_allowed = !rules.denies_unknown;
    for (at = 0; at < RULES; at++) {
        if (rule_slots[at].in_use && rule_slots[at].from <= number && number <= rule_slots[at].to) {
            is_allowed = (rule_slots[at].rights & right) != 0;
            break;
        }
    }
    pthread_rwlock_unlock(&rules.lock);
    if (!is_allowed)
        __sync_fetch_and_add(&rule_denials, 1);
    return is_allowed;
}

static status rule_add(u32 from, u32 to, u8 rights) {
    status result = ST_RESOURCES;
    u32 at;
    if (to < from)
        return ST_INVALID_PARAMETER;
    pthread_rwlock_wrlock(&rules.lock);
    for (at = 0; at < RULES; at++) {
        if (!rule_slots[at].in_use) {
            rule_slots[at].from = from;
            rule_slots[at].to = to;
            rule_slots[at].rights = rights;
            rule_slots[at].in_use = 1;
            rules.count++;
            result = ST_SUCCESS;
            break;
        }
    }
    pthread_rwlock_unlock(&rules.lock);
    return result;
}

static void rules_clear(int denies_unknown) {
    u32 at;
    pthread_rwlock_wrlock(&rules.lock);
    for (at = 0; at < RULES; at++)
        rule_slots[at].in_use = 0;
    rules.count = 0;
    rules.denies_unknown = denies_unknown;
    pthread_rwlock_unlock(&rules.lock);
}

// ---------------------------------------------------------------------------------------------------------------------
// Retransmission: what was sent and not confirmed
// ---------------------------------------------------------------------------------------------------------------------

#define UNCONFIRMED 56
#define UNCONFIRMED_TRIES 5

struct unconfirmed {
    u32 sequence;
    u16 length;
    u8 tries;
    u8 in_use;
};

struct retransmission {
    pthread_mutex_t lock;
    pthread_cond_t confirmed;
    u32 oldest;
    u32 newest;
    u32 given_up;
    u32 repeated;
};

static struct retransmission retransmission = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0, 0};
static struct unconfirmed unconfirmed_slots[UNCONFIRMED];

static status retransmission_note(u16 length, u32 *sequence) {
    status result = ST_RESOURCES;
    u32 slot;
    pthread_mutex_lock(&retransmission.lock);
    slot = retransmission.newest % UNCONFIRMED;
    if (!unconfirmed_slots[slot].in_use) {
        unconfirmed_slots[slot].sequence = retransmission.newest;
        unconfirmed_slots[slot].length = length;
        unconfirmed_slots[slot].tries = 0;
        unconfirmed_slots[slot].in_use = 1;
        *sequence = retransmission.newest;
        retransmission.newest++;
        result = ST_SUCCESS;
    }
    pthread_mutex_unlock(&retransmission.lock);
    return result;
}

static void retransmission_confirm(u32 sequence) {
    u32 slot = sequence % UNCONFIRMED;
    pthread_mutex_lock(&retransmission.lock);
    if (unconfirmed_slots[slot].in_use && unconfirmed_slots[slot].sequence == sequence) {
        unconfirmed_slots[slot].in_use = 0;
        if (retransmission.oldest == sequence)
            retransmission.oldest = sequence + 1;
        pthread_cond_broadcast(&retransmission.confirmed);
    }
    pthread_mutex_unlock(&retransmission.lock);
}

// How many are to be sent again.
static u32 retransmission_repeat(void) {
    u32 slot, repeated = 0;
    pthread_mutex_lock(&retransmission.lock);
    for (slot = 0; slot < UNCONFIRMED; slot++) {
        if (!unconfirmed_slots[slot].in_use)
            continue;
        if (unconfirmed_slots[slot].tries >= UNCONFIRMED_TRIES) {
            unconfirmed_slots[slot].in_use = 0;
            retransmission.given_up++;
        } else {
            unconfirmed_slots[slot].tries++;
            repeated++;
        }
    }
    retransmission.repeated += repeated;
    pthread_mutex_unlock(&retransmission.lock);
    return repeated;
}

// ---------------------------------------------------------------------------------------------------------------------
// The work list: things that threads of the driver do one after the other
// ---------------------------------------------------------------------------------------------------------------------

#define WORK_SLOTS 26

enum work_code { WORK_NONE, WORK_LEARN, WORK_REPEAT, WORK_AGE, WORK_APPLY, WORK_DROP_CLASS, WORK_STOP };

struct work_list {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    u32 first;
    u32 count;
    u32 done;
    u32 lost;
    int is_closed;
};

static struct work_list work = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0, 0, 0};
static u8 work_codes[WORK_SLOTS];
static u32 work_arguments[WORK_SLOTS];

static status work_put(u8 code, u32 argument) {
    status result = ST_SUCCESS;
    pthread_mutex_lock(&work.lock);
    if (work.is_closed) {
        result = ST_CLOSING;
    } else if (work.count >= WORK_SLOTS) {
        work.lost++;
        result = ST_RESOURCES;
    } else {
        u32 at = work.first + work.count;
        if (at >= WORK_SLOTS)
            at -= WORK_SLOTS;
        if (at < WORK_SLOTS) {
            work_codes[at] = code;
            work_arguments[at] = argument;
        }
        work.count++;
        pthread_cond_signal(&work.filled);
    }
    pthread_mutex_unlock(&work.lock);
    return result;
}

static u8 work_take(u32 *argument) {
    u8 code = WORK_STOP;
    pthread_mutex_lock(&work.lock);
    while (work.count == 0 && !work.is_closed)
        pthread_cond_wait(&work.filled, &work.lock);
    if (work.count > 0) {
        code = WORK_NONE;
        if (work.first < WORK_SLOTS) {
            code = work_codes[work.first];
            *argument = work_arguments[work.first];
        }
        work.first = work.first + 1 >= WORK_SLOTS ? 0 : work.first + 1;
        work.count--;
        work.done++;
    }
    pthread_mutex_unlock(&work.lock);
    return code;
}

static void work_close(void) {
    pthread_mutex_lock(&work.lock);
    work.is_closed = 1;
    pthread_cond_broadcast(&work.filled);
    pthread_mutex_unlock(&work.lock);
}

static void *work_thread(void *unused) {
    (void)unused;
    for (;;) {
        u32 argument = 0;
        u8 code = work_take(&argument);
        switch (code) {
        case WORK_LEARN:
            offload_learn(argument);
            break;
        case WORK_REPEAT:
            if (retransmission_repeat() > 0)
                defer(DEFER_WRITES);
            break;
        case WORK_AGE:
            sessions_age();
            break;
        case WORK_APPLY:
            configuration_apply();
            break;
        case WORK_DROP_CLASS:
            scheduler_drop(argument);
            break;
        case WORK_STOP:
            return 0;
        default:
            break;
        }
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// What clients may ask of these
// ---------------------------------------------------------------------------------------------------------------------

enum extended_code {
    EXT_SCHEDULE,
    EXT_SERVE,
    EXT_OFFLOAD,
    EXT_HISTOGRAM,
    EXT_PAGE,
    EXT_RULE,
    EXT_CLEAR_RULES,
    EXT_CONFIRM,
    EXT_SEND_CONFIRMED,
    EXT_WORK,
    EXT_LAST,
};

static status extended_send(u32 number) {
    status result;
    u32 sequence = 0;
    u16 length = __VERIFIER_nondet_ushort();
    if (length < FRAME_MIN || length > FRAME_MAX)
        return ST_INVALID_PARAMETER;
    if (!rule_allows(number, RIGHT_WRITE))
        return ST_DENIED;
    result = retransmission_note(length, &sequence);
    if (!is_success(result))
        return result;
    histogram_add(length);
    return checksum_verify(length);
}

static status extended_page(void) {
    u32 page = 0;
    status result = page_take(&page);
    if (is_success(result) && adapter_byte() != 0)
        page_give_back(page);
    return result;
}

static status dispatch_extended(u32 number, int code) {
    u32 most = 0;
    u16 length;
    switch (code) {
    case EXT_SCHEDULE:
        return scheduler_put(scheduler_class(__VERIFIER_nondet_uint(), number), __VERIFIER_nondet_ushort());
    case EXT_SERVE:
        length = scheduler_take();
        if (length == 0)
            return ST_END;
        count_sent(length);
        return ST_SUCCESS;
    case EXT_OFFLOAD:
        return offload_enable(__VERIFIER_nondet_uint());
    case EXT_HISTOGRAM:
        return histogram_read(&most);
    case EXT_PAGE:
        return extended_page();
    case EXT_RULE:
        if (!rule_allows(number, RIGHT_CONTROL))
            return ST_DENIED;
        return rule_add(__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint(), __VERIFIER_nondet_uchar());
    case EXT_CLEAR_RULES:
        rules_clear(__VERIFIER_nondet_int() != 0);
        return ST_SUCCESS;
    case EXT_CONFIRM:
        retransmission_confirm(__VERIFIER_nondet_uint());
        return ST_SUCCESS;
    case EXT_SEND_CONFIRMED:
        return extended_send(number);
    case EXT_WORK:
        return work_put(__VERIFIER_nondet_uchar() & 7, __VERIFIER_nondet_uint());
    default:
        return ST_NOT_RECOGNIZED;
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Dispatch: creating and closing
// ---------------------------------------------------------------------------------------------------------------------

static void instance_clear(struct instance *instance) {
    u32 at;
    instance->is_open = 0;
    instance->mode = MODE_CAPTURE;
    instance->number = 0;
    instance->timeout = 0;
    instance->minimum = 0;
    instance->snap = FRAME_MAX;
    instance->repeat = 1;
    instance->reads = 0;
    instance->writes = 0;
    instance->received = 0;
    instance->last = ST_SUCCESS;
    for (at = 0; at < LOOKAHEAD_MAX; at++)
        instance->lookahead[at] = 0;
}

static status dispatch_create(struct instance *instance) {
    status result;
    if (instance->is_open)
        return ST_INVALID_REQUEST;
    result = binding_take();
    if (!is_success(result))
        return result;
    instance->is_open = 1;
    instance->mode = MODE_CAPTURE;
    instance->number = __sync_add_and_fetch(&next_instance, 1);
    instance->timeout = configuration_timeout();
    instance->minimum = 1;
    trace_put(instance->number);
    return ST_SUCCESS;
}

static status dispatch_cleanup(struct instance *instance) {
    if (!instance->is_open)
        return ST_INVALID_REQUEST;
    writes_abort(instance->number);
    if (instance->mode == MODE_DUMP)
        dump_close();
    return ST_SUCCESS;
}

static status dispatch_close(struct instance *instance) {
    status result = dispatch_cleanup(instance);
    if (!is_success(result))
        return result;
    instance->is_open = 0;
    binding_give_back();
    return ST_SUCCESS;
}

// ---------------------------------------------------------------------------------------------------------------------
// Dispatch: reading
// ---------------------------------------------------------------------------------------------------------------------

static status read_capture(struct instance *instance, u32 room) {
    u32 taken;
    if (capture_filled() < instance->minimum) {
        status result = readers_wait(instance->minimum);
        if (!is_success(result))
            return result;
    }
    taken = capture_take(room);
    if (taken == 0)
        return ST_TIMEOUT;
    instance->received += taken;
    return ST_SUCCESS;
}

static status read_statistics(struct instance *instance) {
    u32 received = 0, sent = 0, filtered = 0;
    statistics_read(&received, &sent, &filtered);
    instance->lookahead[0] = (u8)received;
    instance->lookahead[1] = (u8)sent;
    instance->lookahead[2] = (u8)filtered;
    return ST_SUCCESS;
}

static status read_dump(struct instance *instance, u32 room) {
    u32 taken = capture_take(room);
    status result;
    if (taken == 0)
        return ST_END;
    result = dump_write(taken);
    if (result == ST_END)
        event_post(EVENT_DUMP_FULL);
    else
        instance->received += taken;
    return result;
}

static status read_monitor(struct instance *instance) {
    u32 packets = 0, bytes = 0, peak = 0;
    monitor_read(&packets, &bytes, &peak);
    instance->lookahead[0] = (u8)packets;
    instance->lookahead[1] = (u8)bytes;
    instance->lookahead[2] = (u8)peak;
    return ST_SUCCESS;
}

static status dispatch_read(struct instance *instance) {
    u32 room = __VERIFIER_nondet_uint();
    u16 looped = 0;
    if (room == 0)
        return ST_BUFFER_TOO_SMALL;
    instance->reads++;
    if (is_success(loopback_take(instance->number, &looped))) {
        instance->received += looped;
        return ST_SUCCESS;
    }
    switch (instance->mode) {
    case MODE_CAPTURE:
        return read_capture(instance, room);
    case MODE_STATISTICS:
        return read_statistics(instance);
    case MODE_DUMP:
        return read_dump(instance, room);
    case MODE_MONITOR:
        return read_monitor(instance);
    default:
        return ST_INVALID_REQUEST;
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Dispatch: writing
// ---------------------------------------------------------------------------------------------------------------------

static status dispatch_write(struct instance *instance, struct port *port) {
    status result;
    u32 times, hardware = 0, to = __VERIFIER_nondet_uint();
    u16 length = __VERIFIER_nondet_ushort();
    if (length < FRAME_MIN || length > FRAME_MAX)
        return ST_INVALID_PARAMETER;
    if (!tag_is_enabled(to & (TAGS_MAX - 1)))
        return ST_DENIED;
    result = port_pass(port, length);
    if (!is_success(result))
        return result;
    result = neighbour_resolve(to, &hardware);
    if (!is_success(result))
        return result;
    result = power_begin();
    if (!is_success(result))
        return result;
    for (times = 0; times < instance->repeat; times++) {
        result = write_queue_put(instance->number, length);
        if (!is_success(result))
            break;
        loopback_put(instance->number, length);
    }
    session_note(instance->number, hardware);
    if (is_success(result))
        result = writes_run();
    instance->writes++;
    power_end();
    return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Dispatch: controls
// ---------------------------------------------------------------------------------------------------------------------

// A rough number is enough here, and this is asked very often: the lock is not taken.
static status quick_status(struct instance *instance) {
    instance->lookahead[0] = (u8)losses.count;
    return ST_SUCCESS;
}

static status control_mode(struct instance *instance, int mode) {
    if (mode < MODE_CAPTURE || mode >= MODE_LAST)
        return ST_INVALID_PARAMETER;
    if (instance->mode == mode)
        return ST_SUCCESS;
    if (instance->mode == MODE_DUMP)
        dump_close();
    if (mode == MODE_DUMP) {
        status result = dump_open();
        if (!is_success(result))
            return result;
    }
    if (mode == MODE_MONITOR)
        monitor_set(1);
    instance->mode = mode;
    return ST_SUCCESS;
}

static status control_multicast(int code) {
    u8 address[ADDRESS_BYTES];
    u32 byte;
    status result;
    for (byte = 0; byte < ADDRESS_BYTES; byte++)
        address[byte] = __VERIFIER_nondet_uchar();
    if ((address[0] & 1) == 0)
        return ST_INVALID_PARAMETER;
    if (code == CTL_ADD_MULTICAST)
        result = multicast_add(address);
    else
        result = multicast_remove(address);
    if (is_success(result))
        result = oid_set(OID_MULTICAST_LIST, 0);
    return result;
}

static status control_statistics(struct instance *instance, int code) {
    u32 lost;
    switch (code) {
    case CTL_GET_STATS:
        return read_statistics(instance);
    case CTL_CLEAR_STATS:
        statistics_clear();
        lost = losses_take();
        trace_put(lost);
        return ST_SUCCESS;
    case CTL_QUICK_STATUS:
        return quick_status(instance);
    default:
        return ST_NOT_SUPPORTED;
    }
}

static status control_trace(struct instance *instance, int code) {
    u32 what = 0;
    status result;
    if (code == CTL_TRACE_CLEAR) {
        trace_clear(1);
        return ST_SUCCESS;
    }
    result = trace_read(__VERIFIER_nondet_uint(), &what);
    if (is_success(result))
        instance->lookahead[3] = (u8)what;
    return result;
}

static status control_instance(struct instance *instance, int code) {
    u32 value = __VERIFIER_nondet_uint();
    u32 seconds = 0, microseconds = 0, packets = 0;
    switch (code) {
    case CTL_SET_TIMEOUT:
        if (value > TIMEOUT_LONGEST)
            return ST_INVALID_PARAMETER;
        instance->timeout = value;
        return timer_arm(instance->number % TIMER_SLOTS, value);
    case CTL_SET_MIN_TO_COPY:
        if (value > CAPTURE_BYTES)
            return ST_INVALID_PARAMETER;
        instance->minimum = value;
        return ST_SUCCESS;
    case CTL_SET_SNAP:
        instance->snap = smaller(value, FRAME_MAX);
        return ST_SUCCESS;
    case CTL_SET_WRITE_REPEAT:
        if (value == 0 || value > 64)
            return ST_INVALID_PARAMETER;
        instance->repeat = value;
        return ST_SUCCESS;
    case CTL_GET_TIMESTAMP:
        clock_stamp(&seconds, &microseconds);
        instance->lookahead[0] = (u8)seconds;
        instance->lookahead[1] = (u8)microseconds;
        return session_lookup(instance->number, seconds, &packets);
    case CTL_SET_MODE:
        return control_mode(instance, (int)value);
    default:
        return ST_NOT_SUPPORTED;
    }
}

static status dispatch_control(struct instance *instance, struct port *port, int code) {
    u32 value = 0, event = 0, speed = 0;
    switch (code) {
    case CTL_QUERY_OID:
        return oid_query(__VERIFIER_nondet_uint(), &value);
    case CTL_SET_OID:
        return oid_set(__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint());
    case CTL_RESET:
        defer(DEFER_RESET);
        return ST_PENDING;
    case CTL_SET_FILTER:
        return filter_set(__VERIFIER_nondet_uint());
    case CTL_GET_STATS:
    case CTL_CLEAR_STATS:
    case CTL_QUICK_STATUS:
        return control_statistics(instance, code);
    case CTL_SET_MODE:
    case CTL_SET_TIMEOUT:
    case CTL_SET_MIN_TO_COPY:
    case CTL_SET_SNAP:
    case CTL_SET_WRITE_REPEAT:
    case CTL_GET_TIMESTAMP:
        return control_instance(instance, code);
    case CTL_GET_EVENT:
        return event_take(&event);
    case CTL_SET_MONITOR:
        monitor_set(__VERIFIER_nondet_int() != 0);
        return ST_SUCCESS;
    case CTL_ADD_MULTICAST:
    case CTL_REMOVE_MULTICAST:
        return control_multicast(code);
    case CTL_GET_MEDIA:
        return media_get(&speed);
    case CTL_SET_COALESCE:
        port_pause(port, 0);
        return configuration_set(KEY_COALESCE, __VERIFIER_nondet_uint());
    case CTL_TRACE_READ:
    case CTL_TRACE_CLEAR:
        return control_trace(instance, code);
    case CTL_ENUM_ADAPTERS:
        return tag_set(__VERIFIER_nondet_uint(), __VERIFIER_nondet_int() != 0);
    default:
        if (code >= CTL_LAST && code < CTL_LAST + EXT_LAST)
            return dispatch_extended(instance->number, code - CTL_LAST);
        return configuration_set((u32)code % KEY_LAST, __VERIFIER_nondet_uint());
    }
}

static status dispatch(struct instance *instance, struct port *port, int function) {
    if (function == MJ_CREATE)
        return dispatch_create(instance);
    if (function == MJ_POWER)
        return power_set(__VERIFIER_nondet_int());
    if (!instance->is_open)
        return ST_INVALID_REQUEST;
    switch (function) {
    case MJ_CLOSE:
        return dispatch_close(instance);
    case MJ_READ:
        return dispatch_read(instance);
    case MJ_WRITE:
        return dispatch_write(instance, port);
    case MJ_DEVICE_CONTROL:
        return dispatch_control(instance, port, __VERIFIER_nondet_int());
    case MJ_CLEANUP:
        return dispatch_cleanup(instance);
    default:
        return ST_NOT_SUPPORTED;
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Threads of the driver and of the adapter
// ---------------------------------------------------------------------------------------------------------------------

static void *receive_thread(void *unused) {
    (void)unused;
    for (;;) {
        u32 length = adapter_word();
        watchdog_beat(WATCHED_RECEIVE);
        switch (adapter_byte() & 7) {
        case 0:
            complete_indicate(adapter_word(), adapter_word());
            break;
        case 1:
            status_indicate(adapter_word(), adapter_word());
            break;
        case 2:
            neighbour_answer(adapter_word(), adapter_word());
            break;
        case 3:
            assembly_add(adapter_word(), adapter_word(), adapter_word(), adapter_byte() & 1);
            break;
        default:
            receive_indicate(adapter_word(), length);
            break;
        }
        if (__atomic_load_n(&gate.is_stopping, __ATOMIC_SEQ_CST))
            break;
    }
    return 0;
}

static void *deferred_thread(void *unused) {
    (void)unused;
    for (;;) {
        int bits = __sync_fetch_and_and(&deferred.bits, 0);
        watchdog_beat(WATCHED_DEFERRED);
        if (bits == 0)
            continue;
        power_wait();
        if (bits & DEFER_RESET) {
            capture_reset();
            requests_fail_all(ST_RESET);
            count_reset();
            event_post(EVENT_RESET);
        }
        if (bits & DEFER_WRITES)
            writes_run();
        if (bits & DEFER_MEDIA)
            media_settle();
        if ((bits & DEFER_FLUSH) && coalesce_flush())
            readers_wake();
        if (bits & DEFER_EVENTS)
            configuration_apply();
    }
    return 0;
}

static void *timer_thread(void *port) {
    for (;;) {
        u32 due = timers_advance();
        watchdog_beat(WATCHED_TIMER);
        clock_tick(10);
        monitor_window();
        port_refill(port);
        if (due > 0)
            defer(DEFER_FLUSH);
        if (adapter_byte() == 0) {
            sessions_age();
            neighbours_age();
            assembly_abandon();
        }
        if (watchdog_check())
            defer(DEFER_EVENTS);
        timer_disarm(due);
    }
    return 0;
}

static void *binder_thread(void *unused) {
    (void)unused;
    for (;;) {
        if (__VERIFIER_nondet_int())
            bind();
        else
            unbind();
        if (power_now() == PS_D3)
            defer(DEFER_RESET);
    }
    return 0;
}

static void *unload_thread(void *unused) {
    (void)unused;
    gate_stop();
    work_close();
    unbind();
    return 0;
}

static void *client_thread(void *argument) {
    struct port *port = argument;
    struct instance instance;
    instance_clear(&instance);
    for (;;) {
        int function = __VERIFIER_nondet_int();
        if (!is_success(gate_enter()))
            break;
        instance.last = dispatch(&instance, port, function);
        gate_leave();
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Loading
// ---------------------------------------------------------------------------------------------------------------------

static void driver_entry(void) {
    pthread_spin_init(&capture.lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&pool.lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&statistics.lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&losses.lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&coalesce.lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&wall.lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&tags.lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&scheduler.lock, PTHREAD_PROCESS_PRIVATE);
    pages.free_count = PAGES;
    capture.free = CAPTURE_BYTES;
    coalesce.limit = 1;
    gate.pending = 1;
    pool_fill();
}

int main(void) {
    pthread_t thread;
    struct port *port;
    driver_entry();
    port = port_make(64);
    if (port == 0)
        return 1;
    pthread_create(&thread, 0, deferred_thread, 0);
    pthread_create(&thread, 0, timer_thread, port);
    pthread_create(&thread, 0, binder_thread, 0);
    pthread_create(&thread, 0, work_thread, 0);
    pthread_create(&thread, 0, unload_thread, 0);
    for (;;) {
        pthread_create(&thread, 0, receive_thread, 0);
        pthread_create(&thread, 0, client_thread, port);
    }
}
