// A driver for a wireless card, in the shape of those that thread-modular race checkers were first tried on: dispatch
// routines that any number of clients call at once, an interrupt thread, a deferred-work thread and a timer. The card
// itself is made of values out of nothing. Nothing races here, and all assertions hold.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;

extern int __VERIFIER_nondet_int(void);
extern u32 __VERIFIER_nondet_uint(void);
extern u8 __VERIFIER_nondet_uchar(void);
extern u16 __VERIFIER_nondet_ushort(void);

// ---------------------------------------------------------------------------------------------------------------------
// Codes
// ---------------------------------------------------------------------------------------------------------------------

typedef int status;

enum {
    OK = 0,
    PENDING = 1,
    E_BUSY = -1,
    E_RANGE = -2,
    E_POWER = -3,
    E_STATE = -4,
    E_TIMEOUT = -5,
    E_MEMORY = -6,
    E_HARDWARE = -7,
    E_GONE = -8,
    E_UNKNOWN = -9,
    E_PERMISSION = -10,
    E_FULL = -11,
    E_EMPTY = -12,
};

// What clients ask for.
enum request_code {
    REQ_OPEN,
    REQ_CLOSE,
    REQ_READ_RECORD,
    REQ_WRITE_RECORD,
    REQ_SEND,
    REQ_RECEIVE,
    REQ_SCAN,
    REQ_SCAN_RESULTS,
    REQ_JOIN,
    REQ_LEAVE,
    REQ_SET_POWER,
    REQ_GET_POWER,
    REQ_GET_STATISTICS,
    REQ_CLEAR_STATISTICS,
    REQ_SET_KEY,
    REQ_REMOVE_KEY,
    REQ_SET_RATE,
    REQ_GET_QUALITY,
    REQ_SET_FILTER,
    REQ_READ_FIRMWARE,
    REQ_WRITE_FIRMWARE,
    REQ_RESET,
    REQ_LAST,
};

// The card's command register.
enum command_code {
    CMD_NOP = 0x00,
    CMD_ENABLE = 0x01,
    CMD_DISABLE = 0x02,
    CMD_ACCESS = 0x21,
    CMD_ACCESS_WRITE = 0x121,
    CMD_TRANSMIT = 0x0b,
    CMD_SCAN = 0x103,
    CMD_SLEEP = 0x05,
    CMD_WAKE = 0x06,
    CMD_RESET = 0x1f,
};

// Bits of the card's event register.
enum {
    EV_TX_DONE = 0x01,
    EV_TX_FAILED = 0x02,
    EV_RX = 0x04,
    EV_LINK = 0x08,
    EV_MIC = 0x10,
    EV_AWAKE = 0x20,
    EV_ALL = 0x3f,
};

// Work that the interrupt thread leaves to the deferred-work thread.
enum {
    WORK_TX = 1,
    WORK_RX = 2,
    WORK_LINK = 4,
    WORK_MIC = 8,
    WORK_RESET = 16,
};

enum power_state { POWER_OFF, POWER_SLEEP, POWER_DOZE, POWER_ON };

// Who may touch the scan results: see `radio.scan_state`.
enum scan_state { SCAN_IDLE, SCAN_RUNNING, SCAN_READING };

enum link_state { LINK_DOWN, LINK_JOINING, LINK_UP };

enum key_slot_state { KEY_EMPTY, KEY_CHANGING, KEY_SET };

#define RECORDS 32
#define RECORD_BYTES 64
#define TX_SLOTS 64
#define RX_SLOTS 128
#define FRAME_BYTES 256
#define FRAME_SHORTEST 24
#define SCAN_RESULTS 24
#define FIRMWARE_BYTES 4096
#define FIRMWARE_BLOCK 128
#define KEY_BYTES 16
#define COMMAND_TRIES 50
#define LOCK_ORDER_LAST 4
#define QUALITY_BEST 100
#define RATE_COUNT 4
#define MIC_FAILURES_MOST 2
#define BEACONS_MISSED_MOST 10

// ---------------------------------------------------------------------------------------------------------------------
// The device extension
// ---------------------------------------------------------------------------------------------------------------------

// The command interface has a lock of our own making: commands sleep while they wait for the card.
struct command_interface {
    int owner;
    u32 issued;
    u32 failed;
    u16 last_command;
    u16 last_parameter;
    u16 last_status;
    u16 last_response;
};

static struct command_interface commands;

// Registers of the card that take more than one access.
struct window {
    pthread_spinlock_t lock;
    u16 selector;
    u16 offset;
    u16 last_read;
    int is_selected;
};

static struct window window;

struct tx_descriptor {
    u16 length;
    u8 rate;
    u8 retries;
    u32 cookie;
};

struct tx_ring {
    pthread_spinlock_t lock;
    u32 head;
    u32 tail;
    u32 count;
    int is_stopped;
    u32 next_cookie;
};

static struct tx_ring tx;
static struct tx_descriptor tx_slots[TX_SLOTS];

struct rx_descriptor {
    u16 length;
    u8 signal;
    u8 flags;
};

struct rx_ring {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    u32 first;
    u32 count;
    int is_closing;
};

static struct rx_ring rx = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0};
static struct rx_descriptor rx_slots[RX_SLOTS];

// The records of the card, as they were read or written last.
struct record_cache {
    pthread_mutex_t lock;
    u32 valid;
    u32 dirty;
    u32 hits;
    u32 misses;
};

static struct record_cache records = {PTHREAD_MUTEX_INITIALIZER, 0, 0, 0, 0};
static u8 record_length[RECORDS];
static u8 record_bytes[RECORDS * RECORD_BYTES];

struct power_manager {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int state;
    int wanted;
    int wake_locks;
    u32 transitions;
};

static struct power_manager power = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, POWER_OFF, POWER_OFF, 0, 0};

struct scan_result {
    u32 network;
    u8 channel;
    u8 signal;
};

struct link {
    pthread_mutex_t lock;
    int state;
    u32 network;
    u8 channel;
    u8 rate;
    int quality;
    int beacons_missed;
};

static struct link link_info = {PTHREAD_MUTEX_INITIALIZER, LINK_DOWN, 0, 0, 0, 0, 0};

struct key_store {
    pthread_spinlock_t lock;
    int state;
    u8 length;
    u32 replay_low;
    u32 replay_high;
};

static struct key_store keys;
static u8 key_bytes[KEY_BYTES];

struct statistics {
    pthread_spinlock_t lock;
    u32 tx_frames;
    u32 tx_errors;
    u32 rx_frames;
    u32 rx_dropped;
    u32 mic_failures;
    u32 resets;
    u32 generation;
};

static struct statistics statistics;

// Everything that belongs to no part of its own.
struct radio {
    // Taken by compare-and-swap: whoever moved it from idle may touch `scan_count` and the results.
    int scan_state;
    u32 scan_count;
    u32 scan_generation;
    // Clients inside dispatch routines, as in every driver that can be stopped.
    int pending;
    int is_stopping;
    int stop_event;
    int stopped;
    // Set by the interrupt thread, taken by the deferred-work thread.
    int work;
    // How many clients have the device open.
    int opens;
    // A flash update: 0 if nobody does one, else somebody has the firmware image for himself.
    int updating;
    u32 firmware_version;
    u32 firmware_sum;
};

static struct radio radio;
static struct scan_result scan_results[SCAN_RESULTS];
static u8 firmware[FIRMWARE_BYTES];

// What a client keeps of its own.
struct client_context {
    int is_open;
    int may_configure;
    u32 filter;
    u32 requests;
    u32 failures;
    status last;
    u8 buffer[RECORD_BYTES];
};

// The timer's own.
static u32 timer_ticks;

// ---------------------------------------------------------------------------------------------------------------------
// The card
// ---------------------------------------------------------------------------------------------------------------------

static u16 card_in(u16 port) {
    (void)port;
    return __VERIFIER_nondet_ushort();
}

static void card_out(u16 port, u16 value) {
    (void)port;
    (void)value;
}

static u16 card_events(void) {
    return card_in(0x30) & EV_ALL;
}

static void card_acknowledge(u16 events) {
    card_out(0x34, events);
}

// Selecting a window and an offset, and reading what is there, are one thing.
static status window_select(u16 selector, u16 offset) {
    u32 tries = 0;
    window.selector = selector;
    window.offset = offset;
    window.is_selected = 0;
    card_out(0x18, selector);
    card_out(0x1c, offset);
    while (tries < COMMAND_TRIES) {
        u16 answer = card_in(0x1c);
        if (answer & 0x8000) {
            tries++;
            continue;
        }
        if (answer & 0x4000)
            return E_HARDWARE;
        window.is_selected = 1;
        return OK;
    }
    return E_TIMEOUT;
}

static status window_read(u16 selector, u16 offset, u16 *value) {
    status result;
    pthread_spin_lock(&window.lock);
    result = window_select(selector, offset);
    if (result != OK) {
        pthread_spin_unlock(&window.lock);
        return result;
    }
    assert(window.is_selected == 1);
    window.last_read = card_in(0x36);
    *value = window.last_read;
    window.is_selected = 0;
    pthread_spin_unlock(&window.lock);
    return OK;
}

static status window_write(u16 selector, u16 offset, u16 value) {
    status result;
    pthread_spin_lock(&window.lock);
    result = window_select(selector, offset);
    if (result == OK) {
        card_out(0x36, value);
        window.is_selected = 0;
    }
    pthread_spin_unlock(&window.lock);
    return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Commands
// ---------------------------------------------------------------------------------------------------------------------

static int commands_try_begin(void) {
    return __sync_bool_compare_and_swap(&commands.owner, 0, 1);
}

static void commands_begin(void) {
    while (!__sync_bool_compare_and_swap(&commands.owner, 0, 1)) {
    }
}

static void commands_end(void) {
    assert(__atomic_load_n(&commands.owner, __ATOMIC_SEQ_CST) == 1);
    __atomic_store_n(&commands.owner, 0, __ATOMIC_SEQ_CST);
}

// Whoever calls this has the command interface.
static status command_run(u16 command, u16 parameter) {
    u32 tries = 0;
    commands.issued++;
    commands.last_command = command;
    commands.last_parameter = parameter;
    card_out(0x02, parameter);
    card_out(0x00, command);
    for (;;) {
        u16 events = card_in(0x30);
        if (events & 0x10)
            break;
        if (tries >= COMMAND_TRIES) {
            commands.failed++;
            return E_TIMEOUT;
        }
        tries++;
    }
    commands.last_status = card_in(0x08);
    commands.last_response = card_in(0x0a);
    card_acknowledge(0x10);
    if ((commands.last_status & 0x7f00) != 0) {
        commands.failed++;
        return E_HARDWARE;
    }
    return OK;
}

static status command(u16 code, u16 parameter) {
    status result;
    commands_begin();
    result = command_run(code, parameter);
    commands_end();
    return result;
}

// For those who must not wait for others.
static status command_if_free(u16 code, u16 parameter) {
    status result;
    if (!commands_try_begin())
        return E_BUSY;
    result = command_run(code, parameter);
    commands_end();
    return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Statistics
// ---------------------------------------------------------------------------------------------------------------------

static void count_tx(int is_error) {
    pthread_spin_lock(&statistics.lock);
    if (is_error)
        statistics.tx_errors++;
    else
        statistics.tx_frames++;
    pthread_spin_unlock(&statistics.lock);
}

static void count_rx(u32 frames, u32 dropped) {
    pthread_spin_lock(&statistics.lock);
    statistics.rx_frames += frames;
    statistics.rx_dropped += dropped;
    pthread_spin_unlock(&statistics.lock);
}

// How many there were before.
static u32 count_mic_failure(void) {
    u32 before;
    pthread_spin_lock(&statistics.lock);
    before = statistics.mic_failures;
    if (before < MIC_FAILURES_MOST)
        statistics.mic_failures = before + 1;
    assert(statistics.mic_failures <= MIC_FAILURES_MOST);
    pthread_spin_unlock(&statistics.lock);
    return before;
}

static void count_reset(void) {
    pthread_spin_lock(&statistics.lock);
    statistics.resets++;
    statistics.generation++;
    pthread_spin_unlock(&statistics.lock);
}

static status statistics_get(u32 *tx_frames, u32 *rx_frames, u32 *errors) {
    pthread_spin_lock(&statistics.lock);
    *tx_frames = statistics.tx_frames;
    *rx_frames = statistics.rx_frames;
    *errors = statistics.tx_errors + statistics.rx_dropped;
    pthread_spin_unlock(&statistics.lock);
    return OK;
}

static status statistics_clear(void) {
    pthread_spin_lock(&statistics.lock);
    statistics.tx_frames = 0;
    statistics.tx_errors = 0;
    statistics.rx_frames = 0;
    statistics.rx_dropped = 0;
    statistics.mic_failures = 0;
    statistics.generation++;
    pthread_spin_unlock(&statistics.lock);
    return OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Power
// ---------------------------------------------------------------------------------------------------------------------

static int power_is_legal(int from, int to) {
    switch (from) {
    case POWER_OFF:
        return to == POWER_ON;
    case POWER_SLEEP:
    case POWER_DOZE:
        return to == POWER_ON || to == POWER_OFF;
    case POWER_ON:
        return to != POWER_ON;
    default:
        return 0;
    }
}

// With the lock held.
static status power_move(int to) {
    status result;
    if (power.state == to)
        return OK;
    if (!power_is_legal(power.state, to))
        return E_STATE;
    switch (to) {
    case POWER_ON:
        result = command(power.state == POWER_OFF ? CMD_ENABLE : CMD_WAKE, 0);
        break;
    case POWER_DOZE:
    case POWER_SLEEP:
        if (power.wake_locks > 0)
            return E_BUSY;
        result = command(CMD_SLEEP, (u16)to);
        break;
    default:
        if (power.wake_locks > 0)
            return E_BUSY;
        result = command(CMD_DISABLE, 0);
        break;
    }
    if (result != OK)
        return result;
    power.state = to;
    power.transitions++;
    pthread_cond_broadcast(&power.changed);
    return OK;
}

static status power_set(int to) {
    status result;
    if (to < POWER_OFF || to > POWER_ON)
        return E_RANGE;
    pthread_mutex_lock(&power.lock);
    power.wanted = to;
    result = power_move(to);
    assert(power.state >= POWER_OFF && power.state <= POWER_ON);
    pthread_mutex_unlock(&power.lock);
    return result;
}

static int power_get(void) {
    int state;
    pthread_mutex_lock(&power.lock);
    state = power.state;
    pthread_mutex_unlock(&power.lock);
    return state;
}

// The card stays on until it is given back.
static status power_take(void) {
    status result;
    pthread_mutex_lock(&power.lock);
    result = power_move(POWER_ON);
    if (result == OK) {
        if (power.wake_locks < 1000)
            power.wake_locks++;
        else
            result = E_BUSY;
    }
    assert(power.wake_locks >= 0);
    assert(power.wake_locks <= 1000);
    pthread_mutex_unlock(&power.lock);
    return result;
}

static void power_give_back(void) {
    pthread_mutex_lock(&power.lock);
    if (power.wake_locks > 0)
        power.wake_locks--;
    if (power.wake_locks == 0 && power.wanted < POWER_ON)
        power_move(power.wanted);
    pthread_mutex_unlock(&power.lock);
}

static void power_wait_until_on(void) {
    pthread_mutex_lock(&power.lock);
    while (power.state != POWER_ON)
        pthread_cond_wait(&power.changed, &power.lock);
    assert(power.state == POWER_ON);
    pthread_mutex_unlock(&power.lock);
}

// ---------------------------------------------------------------------------------------------------------------------
// Coming in and going out, and stopping
// ---------------------------------------------------------------------------------------------------------------------

static void pending_drop(void) {
    if (__sync_sub_and_fetch(&radio.pending, 1) == 0)
        __atomic_store_n(&radio.stop_event, 1, __ATOMIC_SEQ_CST);
}

static status pending_add(void) {
    __sync_fetch_and_add(&radio.pending, 1);
    if (__atomic_load_n(&radio.is_stopping, __ATOMIC_SEQ_CST)) {
        pending_drop();
        return E_GONE;
    }
    return OK;
}

static status driver_stop(void) {
    if (!__sync_bool_compare_and_swap(&radio.is_stopping, 0, 1))
        return E_GONE;
    pending_drop();
    while (!__atomic_load_n(&radio.stop_event, __ATOMIC_SEQ_CST)) {
    }
    __atomic_store_n(&radio.stopped, 1, __ATOMIC_SEQ_CST);
    return OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Records: what the card calls its configuration and status blocks
// ---------------------------------------------------------------------------------------------------------------------

static int record_is_known(u32 record) {
    return record < RECORDS;
}

static int record_is_writable(u32 record) {
    return record < 16;
}

static u32 record_bit(u32 record) {
    return 1u << record;
}

// From the card, with the lock held.
static status record_fetch(u32 record) {
    status result;
    u16 word = 0;
    u32 length, at;
    result = command(CMD_ACCESS, (u16)record);
    if (result != OK)
        return result;
    result = window_read((u16)record, 0, &word);
    if (result != OK)
        return result;
    length = word;
    if (length < 2)
        return E_HARDWARE;
    if (length > RECORD_BYTES)
        length = RECORD_BYTES;
    for (at = 0; at < length; at += 2) {
        result = window_read((u16)record, (u16)(at + 2), &word);
        if (result != OK)
            return result;
        record_bytes[record * RECORD_BYTES + at] = (u8)word;
    }
    record_length[record] = (u8)length;
    records.valid |= record_bit(record);
    return OK;
}

// To the card, with the lock held.
static status record_flush(u32 record) {
    status result;
    u32 at;
    u32 length = record_length[record];
    for (at = 0; at < length && at < RECORD_BYTES; at += 2) {
        result = window_write((u16)record, (u16)(at + 2), record_bytes[record * RECORD_BYTES + at]);
        if (result != OK)
            return result;
    }
    result = command(CMD_ACCESS_WRITE, (u16)record);
    if (result == OK)
        records.dirty &= ~record_bit(record);
    return result;
}

static status read_record(struct client_context *client, u32 record, u32 most) {
    status result = OK;
    u32 at, length;
    if (!record_is_known(record))
        return E_RANGE;
    if (most > RECORD_BYTES)
        most = RECORD_BYTES;
    result = power_take();
    if (result != OK)
        return result;
    pthread_mutex_lock(&records.lock);
    if (records.valid & record_bit(record)) {
        records.hits++;
    } else {
        records.misses++;
        result = record_fetch(record);
    }
    if (result == OK) {
        length = record_length[record];
        if (length > most)
            length = most;
        for (at = 0; at < length; at++)
            client->buffer[at] = record_bytes[record * RECORD_BYTES + at];
    }
    pthread_mutex_unlock(&records.lock);
    power_give_back();
    return result;
}

static status write_record(struct client_context *client, u32 record, u32 length) {
    status result;
    u32 at;
    if (!record_is_known(record) || !record_is_writable(record))
        return E_RANGE;
    if (length < 2 || length > RECORD_BYTES)
        return E_RANGE;
    if (!client->may_configure)
        return E_PERMISSION;
    result = power_take();
    if (result != OK)
        return result;
    pthread_mutex_lock(&records.lock);
    for (at = 0; at < length; at++)
        record_bytes[record * RECORD_BYTES + at] = client->buffer[at];
    record_length[record] = (u8)length;
    records.valid |= record_bit(record);
    records.dirty |= record_bit(record);
    result = record_flush(record);
    if (result != OK) {
        records.valid &= ~record_bit(record);
        records.dirty &= ~record_bit(record);
    }
    pthread_mutex_unlock(&records.lock);
    power_give_back();
    return result;
}

static void records_forget(void) {
    u32 record;
    pthread_mutex_lock(&records.lock);
    records.valid = 0;
    records.dirty = 0;
    for (record = 0; record < RECORDS; record++)
        record_length[record] = 0;
    pthread_mutex_unlock(&records.lock);
}

// ---------------------------------------------------------------------------------------------------------------------
// Sending
// ---------------------------------------------------------------------------------------------------------------------

static u32 tx_next(u32 index) {
    return index + 1 == TX_SLOTS ? 0 : index + 1;
}

static status tx_put(u16 length, u8 rate, u32 *cookie) {
    status result = OK;
    pthread_spin_lock(&tx.lock);
    if (tx.is_stopped) {
        result = E_STATE;
    } else if (tx.count >= TX_SLOTS) {
        result = E_FULL;
    } else {
        assert(tx.tail < TX_SLOTS);
        tx_slots[tx.tail].length = length;
        tx_slots[tx.tail].rate = rate;
        tx_slots[tx.tail].retries = 0;
        tx_slots[tx.tail].cookie = tx.next_cookie;
        *cookie = tx.next_cookie;
        tx.next_cookie++;
        tx.tail = tx_next(tx.tail);
        tx.count++;
        assert(tx.count <= TX_SLOTS);
    }
    pthread_spin_unlock(&tx.lock);
    return result;
}

// The frame at the head has left, or never will.
static status tx_done(int is_failed) {
    status result = OK;
    pthread_spin_lock(&tx.lock);
    if (tx.count == 0) {
        result = E_EMPTY;
    } else {
        assert(tx.head < TX_SLOTS);
        if (is_failed && tx_slots[tx.head].retries < 3) {
            tx_slots[tx.head].retries++;
            result = PENDING;
        } else {
            tx_slots[tx.head].length = 0;
            tx.head = tx_next(tx.head);
            tx.count--;
            assert(tx.count < TX_SLOTS);
        }
    }
    pthread_spin_unlock(&tx.lock);
    return result;
}

static void tx_stop(int is_stopped) {
    pthread_spin_lock(&tx.lock);
    tx.is_stopped = is_stopped;
    if (is_stopped) {
        tx.head = 0;
        tx.tail = 0;
        tx.count = 0;
    }
    pthread_spin_unlock(&tx.lock);
}

static status send_frame(u16 length, u32 *cookie) {
    status result;
    u8 rate;
    if (length < FRAME_SHORTEST || length > FRAME_BYTES)
        return E_RANGE;
    pthread_mutex_lock(&link_info.lock);
    if (link_info.state != LINK_UP) {
        pthread_mutex_unlock(&link_info.lock);
        return E_STATE;
    }
    rate = link_info.rate;
    pthread_mutex_unlock(&link_info.lock);
    result = power_take();
    if (result != OK)
        return result;
    result = tx_put(length, rate, cookie);
    if (result == OK) {
        // If somebody else is at the card, the deferred-work thread goes on with the queue.
        status kicked = command_if_free(CMD_TRANSMIT, length);
        if (kicked == E_BUSY)
            __sync_fetch_and_or(&radio.work, WORK_TX);
        else if (kicked != OK)
            count_tx(1);
    }
    power_give_back();
    return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Receiving
// ---------------------------------------------------------------------------------------------------------------------

static u32 rx_index(u32 first, u32 count) {
    u32 sum = first + count;
    return sum >= RX_SLOTS ? sum - RX_SLOTS : sum;
}

// One frame from the card.
static status rx_fill(void) {
    status result = OK;
    u16 length = 0;
    u16 signal = 0;
    result = window_read(0x40, 0, &length);
    if (result != OK)
        return result;
    result = window_read(0x40, 2, &signal);
    if (result != OK)
        return result;
    if (length > FRAME_BYTES)
        return E_HARDWARE;
    pthread_mutex_lock(&rx.lock);
    if (rx.count >= RX_SLOTS) {
        result = E_FULL;
    } else {
        u32 at = rx_index(rx.first, rx.count);
        assert(at < RX_SLOTS);
        rx_slots[at].length = length;
        rx_slots[at].signal = (u8)signal;
        rx_slots[at].flags = 0;
        rx.count++;
        pthread_cond_signal(&rx.filled);
    }
    pthread_mutex_unlock(&rx.lock);
    return result;
}

static status receive_frame(int may_wait, u16 *length, u8 *signal) {
    status result = OK;
    pthread_mutex_lock(&rx.lock);
    while (rx.count == 0 && may_wait && !rx.is_closing)
        pthread_cond_wait(&rx.filled, &rx.lock);
    if (rx.count == 0) {
        result = rx.is_closing ? E_GONE : E_EMPTY;
    } else {
        assert(rx.first < RX_SLOTS);
        *length = rx_slots[rx.first].length;
        *signal = rx_slots[rx.first].signal;
        rx.first = rx_index(rx.first, 1);
        rx.count--;
        assert(rx.count < RX_SLOTS);
    }
    pthread_mutex_unlock(&rx.lock);
    return result;
}

static void rx_close(int is_closing) {
    pthread_mutex_lock(&rx.lock);
    rx.is_closing = is_closing;
    if (is_closing) {
        rx.first = 0;
        rx.count = 0;
        pthread_cond_broadcast(&rx.filled);
    }
    pthread_mutex_unlock(&rx.lock);
}

// ---------------------------------------------------------------------------------------------------------------------
// Scanning: the results belong to whoever moved the state from idle
// ---------------------------------------------------------------------------------------------------------------------

static status scan(u8 first_channel, u8 last_channel) {
    status result;
    u32 channel, found = 0;
    if (first_channel == 0 || last_channel < first_channel || last_channel > 14)
        return E_RANGE;
    if (!__sync_bool_compare_and_swap(&radio.scan_state, SCAN_IDLE, SCAN_RUNNING))
        return E_BUSY;
    radio.scan_count = 0;
    radio.scan_generation++;
    result = command(CMD_SCAN, first_channel);
    for (channel = first_channel; result == OK && channel <= last_channel; channel++) {
        u16 answer = 0;
        result = window_read(0x50, (u16)(channel * 2), &answer);
        if (result != OK)
            break;
        if (answer == 0 || found >= SCAN_RESULTS)
            continue;
        scan_results[found].network = answer;
        scan_results[found].channel = (u8)channel;
        scan_results[found].signal = __VERIFIER_nondet_uchar();
        found++;
    }
    assert(found <= SCAN_RESULTS);
    radio.scan_count = found;
    assert(__atomic_load_n(&radio.scan_state, __ATOMIC_SEQ_CST) == SCAN_RUNNING);
    __atomic_store_n(&radio.scan_state, SCAN_IDLE, __ATOMIC_SEQ_CST);
    return result;
}

// The strongest network that was seen.
static status scan_best(u32 *network, u8 *channel) {
    status result = E_EMPTY;
    u32 at;
    u8 best = 0;
    if (!__sync_bool_compare_and_swap(&radio.scan_state, SCAN_IDLE, SCAN_READING))
        return E_BUSY;
    for (at = 0; at < radio.scan_count && at < SCAN_RESULTS; at++) {
        if (scan_results[at].signal >= best) {
            best = scan_results[at].signal;
            *network = scan_results[at].network;
            *channel = scan_results[at].channel;
            result = OK;
        }
    }
    assert(__atomic_load_n(&radio.scan_state, __ATOMIC_SEQ_CST) == SCAN_READING);
    __atomic_store_n(&radio.scan_state, SCAN_IDLE, __ATOMIC_SEQ_CST);
    return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// The link
// ---------------------------------------------------------------------------------------------------------------------

static status link_join(void) {
    status result;
    u32 network = 0;
    u8 channel = 0;
    result = scan_best(&network, &channel);
    if (result != OK)
        return result;
    pthread_mutex_lock(&link_info.lock);
    if (link_info.state != LINK_DOWN) {
        pthread_mutex_unlock(&link_info.lock);
        return E_STATE;
    }
    link_info.state = LINK_JOINING;
    link_info.network = network;
    link_info.channel = channel;
    link_info.quality = 0;
    link_info.beacons_missed = 0;
    pthread_mutex_unlock(&link_info.lock);
    result = window_write(0x60, 0, (u16)network);
    pthread_mutex_lock(&link_info.lock);
    if (link_info.state == LINK_JOINING) {
        link_info.state = result == OK ? LINK_UP : LINK_DOWN;
        link_info.quality = result == OK ? QUALITY_BEST : 0;
    }
    assert(link_info.quality >= 0 && link_info.quality <= QUALITY_BEST);
    pthread_mutex_unlock(&link_info.lock);
    return result;
}

static status link_leave(void) {
    status result = OK;
    pthread_mutex_lock(&link_info.lock);
    if (link_info.state == LINK_DOWN) {
        result = E_STATE;
    } else {
        link_info.state = LINK_DOWN;
        link_info.quality = 0;
        link_info.network = 0;
    }
    pthread_mutex_unlock(&link_info.lock);
    if (result == OK)
        result = window_write(0x60, 2, 0);
    return result;
}

static status link_set_rate(u32 rate) {
    if (rate >= RATE_COUNT)
        return E_RANGE;
    pthread_mutex_lock(&link_info.lock);
    link_info.rate = (u8)rate;
    pthread_mutex_unlock(&link_info.lock);
    return OK;
}

static status link_quality(int *quality) {
    status result = OK;
    pthread_mutex_lock(&link_info.lock);
    if (link_info.state == LINK_UP)
        *quality = link_info.quality;
    else
        result = E_STATE;
    pthread_mutex_unlock(&link_info.lock);
    return result;
}

// A beacon came, or did not come when it should have.
static void link_beacon(int is_missed) {
    pthread_mutex_lock(&link_info.lock);
    if (link_info.state == LINK_UP) {
        if (!is_missed) {
            link_info.beacons_missed = 0;
            if (link_info.quality < QUALITY_BEST)
                link_info.quality++;
        } else if (link_info.beacons_missed >= BEACONS_MISSED_MOST) {
            link_info.state = LINK_DOWN;
            link_info.quality = 0;
        } else {
            link_info.beacons_missed++;
            if (link_info.quality > 0)
                link_info.quality--;
        }
        assert(link_info.beacons_missed <= BEACONS_MISSED_MOST);
    }
    assert(link_info.quality >= 0 && link_info.quality <= QUALITY_BEST);
    pthread_mutex_unlock(&link_info.lock);
}

// ---------------------------------------------------------------------------------------------------------------------
// Keys
// ---------------------------------------------------------------------------------------------------------------------

static status key_set(u8 length) {
    u32 at;
    if (length == 0 || length > KEY_BYTES)
        return E_RANGE;
    pthread_spin_lock(&keys.lock);
    if (keys.state == KEY_CHANGING) {
        pthread_spin_unlock(&keys.lock);
        return E_BUSY;
    }
    keys.state = KEY_CHANGING;
    for (at = 0; at < length; at++)
        key_bytes[at] = __VERIFIER_nondet_uchar();
    keys.length = length;
    keys.replay_low = 0;
    keys.replay_high = 0;
    keys.state = KEY_SET;
    pthread_spin_unlock(&keys.lock);
    return OK;
}

static status key_remove(void) {
    u32 at;
    status result = OK;
    pthread_spin_lock(&keys.lock);
    assert(keys.state != KEY_CHANGING);
    if (keys.state == KEY_EMPTY) {
        result = E_EMPTY;
    } else {
        for (at = 0; at < KEY_BYTES; at++)
            key_bytes[at] = 0;
        keys.length = 0;
        keys.state = KEY_EMPTY;
    }
    pthread_spin_unlock(&keys.lock);
    return result;
}

// Whether a frame's counter is newer than all before it.
static int key_is_fresh(u32 low, u32 high) {
    int is_fresh = 0;
    pthread_spin_lock(&keys.lock);
    if (keys.state == KEY_SET) {
        is_fresh = high > keys.replay_high || (high == keys.replay_high && low > keys.replay_low);
        if (is_fresh) {
            keys.replay_low = low;
            keys.replay_high = high;
        }
    }
    pthread_spin_unlock(&keys.lock);
    return is_fresh;
}

// ---------------------------------------------------------------------------------------------------------------------
// Firmware
// ---------------------------------------------------------------------------------------------------------------------

static int firmware_try_begin(void) {
    int expected = 0;
    return __atomic_compare_exchange_n(&radio.updating, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static void firmware_end(void) {
    __atomic_store_n(&radio.updating, 0, __ATOMIC_SEQ_CST);
}

static status firmware_read(u32 block, u32 *sum) {
    status result = OK;
    u32 at, total = 0;
    if (block >= FIRMWARE_BYTES / FIRMWARE_BLOCK)
        return E_RANGE;
    if (!firmware_try_begin())
        return E_BUSY;
    for (at = 0; at < FIRMWARE_BLOCK; at++)
        total += firmware[block * FIRMWARE_BLOCK + at];
    if (radio.firmware_version == 0)
        result = E_EMPTY;
    *sum = total;
    firmware_end();
    return result;
}

static status firmware_write(u32 block) {
    status result = OK;
    u32 at, sum = 0;
    if (block >= FIRMWARE_BYTES / FIRMWARE_BLOCK)
        return E_RANGE;
    if (!firmware_try_begin())
        return E_BUSY;
    for (at = 0; at < FIRMWARE_BLOCK; at++) {
        u8 byte = __VERIFIER_nondet_uchar();
        firmware[block * FIRMWARE_BLOCK + at] = byte;
        sum += byte;
        if ((at & 15) == 15) {
            result = window_write(0x70, (u16)at, (u16)sum);
            if (result != OK)
                break;
        }
    }
    if (result == OK) {
        radio.firmware_version++;
        radio.firmware_sum = sum;
    } else {
        radio.firmware_version = 0;
    }
    firmware_end();
    return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Reset
// ---------------------------------------------------------------------------------------------------------------------

static status card_reset(void) {
    status result;
    tx_stop(1);
    rx_close(1);
    records_forget();
    result = command(CMD_RESET, 0);
    count_reset();
    if (result == OK) {
        rx_close(0);
        tx_stop(0);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// The interrupt thread
// ---------------------------------------------------------------------------------------------------------------------

static void work_add(int bits) {
    __sync_fetch_and_or(&radio.work, bits);
}

static void interrupt_tx(u16 events) {
    int is_failed = (events & EV_TX_FAILED) != 0;
    status result = tx_done(is_failed);
    if (result == OK)
        count_tx(is_failed);
    else if (result == PENDING)
        work_add(WORK_TX);
}

static void interrupt_rx(void) {
    status result = rx_fill();
    switch (result) {
    case OK:
        count_rx(1, 0);
        break;
    case E_FULL:
        count_rx(0, 1);
        break;
    case E_HARDWARE:
    case E_TIMEOUT:
        work_add(WORK_RESET);
        break;
    default:
        break;
    }
}

static void *interrupt_thread(void *unused) {
    (void)unused;
    for (;;) {
        u16 events = card_events();
        if (events == 0)
            continue;
        if (events == EV_ALL) {
            // The card is not there any more.
            work_add(WORK_RESET);
            continue;
        }
        if (events & (EV_TX_DONE | EV_TX_FAILED))
            interrupt_tx(events);
        if (events & EV_RX)
            interrupt_rx();
        if (events & EV_LINK)
            work_add(WORK_LINK);
        if (events & EV_MIC)
            work_add(WORK_MIC);
        card_acknowledge(events);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// The deferred-work thread
// ---------------------------------------------------------------------------------------------------------------------

static void work_tx(void) {
    if (command_if_free(CMD_TRANSMIT, 0) == E_BUSY)
        work_add(WORK_TX);
}

static void work_mic(void) {
    u32 before = count_mic_failure();
    if (before + 1 >= MIC_FAILURES_MOST) {
        key_remove();
        link_leave();
    }
}

static void *work_thread(void *unused) {
    (void)unused;
    for (;;) {
        int bits = __sync_fetch_and_and(&radio.work, 0);
        if (bits == 0)
            continue;
        power_wait_until_on();
        if (bits & WORK_RESET) {
            card_reset();
            continue;
        }
        if (bits & WORK_TX)
            work_tx();
        if (bits & WORK_LINK)
            link_beacon(__VERIFIER_nondet_int() != 0);
        if (bits & WORK_MIC)
            work_mic();
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// The timer
// ---------------------------------------------------------------------------------------------------------------------

static void *timer_thread(void *unused) {
    (void)unused;
    for (;;) {
        timer_ticks++;
        if (timer_ticks % 10 == 0)
            link_beacon(1);
        if (timer_ticks % 64 == 0 && power_get() == POWER_ON)
            command_if_free(CMD_NOP, 0);
        if (__atomic_load_n(&radio.is_stopping, __ATOMIC_SEQ_CST))
            break;
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Dispatch
// ---------------------------------------------------------------------------------------------------------------------

static status dispatch_open(struct client_context *client) {
    int opens;
    if (client->is_open)
        return E_STATE;
    opens = __atomic_load_n(&radio.opens, __ATOMIC_SEQ_CST);
    do {
        if (opens < 0 || opens >= 100)
            return E_BUSY;
    } while (!__atomic_compare_exchange_n(&radio.opens, &opens, opens + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    assert(opens >= 0 && opens < 100);
    client->is_open = 1;
    client->may_configure = opens == 0;
    client->filter = 0;
    return OK;
}

static status dispatch_close(struct client_context *client) {
    if (!client->is_open)
        return E_STATE;
    client->is_open = 0;
    client->may_configure = 0;
    __sync_fetch_and_sub(&radio.opens, 1);
    return OK;
}

static status dispatch_records(struct client_context *client, int code) {
    u32 record = __VERIFIER_nondet_uint();
    u32 length = __VERIFIER_nondet_uint();
    if (code == REQ_READ_RECORD)
        return read_record(client, record, length);
    return write_record(client, record, length);
}

static status dispatch_frames(struct client_context *client, int code) {
    status result;
    u16 length = 0;
    u8 signal = 0;
    u32 cookie = 0;
    if (code == REQ_SEND)
        return send_frame(__VERIFIER_nondet_ushort(), &cookie);
    result = receive_frame(__VERIFIER_nondet_int() != 0, &length, &signal);
    if (result == OK && client->filter != 0 && !key_is_fresh(length, signal))
        result = E_STATE;
    return result;
}

static status dispatch_link(int code) {
    u32 network = 0;
    u8 channel = 0;
    int quality = 0;
    switch (code) {
    case REQ_SCAN:
        return scan(__VERIFIER_nondet_uchar(), __VERIFIER_nondet_uchar());
    case REQ_SCAN_RESULTS:
        return scan_best(&network, &channel);
    case REQ_JOIN:
        return link_join();
    case REQ_LEAVE:
        return link_leave();
    case REQ_SET_RATE:
        return link_set_rate(__VERIFIER_nondet_uint());
    case REQ_GET_QUALITY:
        return link_quality(&quality);
    default:
        return E_UNKNOWN;
    }
}

static status dispatch_configuration(struct client_context *client, int code) {
    u32 sum = 0;
    if (!client->may_configure)
        return E_PERMISSION;
    switch (code) {
    case REQ_SET_POWER:
        return power_set(__VERIFIER_nondet_int());
    case REQ_SET_KEY:
        return key_set(__VERIFIER_nondet_uchar());
    case REQ_REMOVE_KEY:
        return key_remove();
    case REQ_CLEAR_STATISTICS:
        return statistics_clear();
    case REQ_READ_FIRMWARE:
        return firmware_read(__VERIFIER_nondet_uint(), &sum);
    case REQ_WRITE_FIRMWARE:
        return firmware_write(__VERIFIER_nondet_uint());
    case REQ_RESET:
        work_add(WORK_RESET);
        return PENDING;
    default:
        return E_UNKNOWN;
    }
}

static status dispatch(struct client_context *client, int code) {
    u32 tx_frames = 0, rx_frames = 0, errors = 0;
    if (!client->is_open && code != REQ_OPEN)
        return E_STATE;
    switch (code) {
    case REQ_OPEN:
        return dispatch_open(client);
    case REQ_CLOSE:
        return dispatch_close(client);
    case REQ_READ_RECORD:
    case REQ_WRITE_RECORD:
        return dispatch_records(client, code);
    case REQ_SEND:
    case REQ_RECEIVE:
        return dispatch_frames(client, code);
    case REQ_SCAN:
    case REQ_SCAN_RESULTS:
    case REQ_JOIN:
    case REQ_LEAVE:
    case REQ_SET_RATE:
    case REQ_GET_QUALITY:
        return dispatch_link(code);
    case REQ_GET_POWER:
        return power_get() == POWER_ON ? OK : E_POWER;
    case REQ_GET_STATISTICS:
        return statistics_get(&tx_frames, &rx_frames, &errors);
    case REQ_SET_FILTER:
        client->filter = __VERIFIER_nondet_uint();
        return OK;
    case REQ_SET_POWER:
    case REQ_SET_KEY:
    case REQ_REMOVE_KEY:
    case REQ_CLEAR_STATISTICS:
    case REQ_READ_FIRMWARE:
    case REQ_WRITE_FIRMWARE:
    case REQ_RESET:
        return dispatch_configuration(client, code);
    default:
        return E_UNKNOWN;
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Clients
// ---------------------------------------------------------------------------------------------------------------------

static void *client_thread(void *unused) {
    struct client_context context;
    u32 at;
    (void)unused;
    context.is_open = 0;
    context.may_configure = 0;
    context.filter = 0;
    context.requests = 0;
    context.failures = 0;
    context.last = OK;
    for (at = 0; at < RECORD_BYTES; at++)
        context.buffer[at] = 0;
    for (;;) {
        int code = __VERIFIER_nondet_int();
        if (pending_add() != OK)
            break;
        context.requests++;
        context.last = dispatch(&context, code);
        if (context.last < 0)
            context.failures++;
        pending_drop();
    }
    return 0;
}

static void *unload_thread(void *unused) {
    (void)unused;
    if (driver_stop() == OK) {
        rx_close(1);
        tx_stop(1);
        power_set(POWER_OFF);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Loading
// ---------------------------------------------------------------------------------------------------------------------

static void driver_load(void) {
    pthread_spin_init(&window.lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&tx.lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&keys.lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&statistics.lock, PTHREAD_PROCESS_PRIVATE);
    tx.head = 0;
    tx.tail = 0;
    tx.count = 0;
    tx.is_stopped = 0;
    keys.state = KEY_EMPTY;
    radio.pending = 1;
    radio.is_stopping = 0;
    radio.scan_state = SCAN_IDLE;
}

int main(void) {
    pthread_t thread;
    driver_load();
    pthread_create(&thread, 0, interrupt_thread, 0);
    pthread_create(&thread, 0, work_thread, 0);
    pthread_create(&thread, 0, timer_thread, 0);
    pthread_create(&thread, 0, unload_thread, 0);
    for (;;)
        pthread_create(&thread, 0, client_thread, 0);
}
