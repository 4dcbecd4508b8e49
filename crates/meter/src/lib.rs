//! How much memory a thread and the process hold, and how long the process has been running on a processor.
//!
//! An engine runs on one thread, so what that thread has allocated and not released is what the engine holds, whatever
//! it is kept in. A program that declares [`Metered`] its global allocator can ask for it at any time and at no cost;
//! in one that does not, every thread holds 0. This crate exists for the one `unsafe` that it takes.
//!
//! ```
//! use selvedge_meter::{Metered, held_by_this_thread};
//!
//! #[global_allocator]
//! static ALLOCATOR: Metered = Metered;
//!
//! let before = held_by_this_thread();
//! let bytes = vec![0u8; 1 << 20];
//! assert!(held_by_this_thread() >= before + (1 << 20));
//! drop(bytes);
//! assert!(held_by_this_thread() < before + (1 << 20));
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::time::Duration;

thread_local! {
    static HELD: Cell<i64> = const { Cell::new(0) };
}

/// The system's allocator, which also keeps count per thread.
#[derive(Clone, Copy, Debug)]
pub struct Metered;

/// Counts bytes of this thread. At its very end a thread has no counter any more, and nobody asks.
fn count(bytes: i64) {
    let _ = HELD.try_with(|held| held.set(held.get() + bytes));
}

/// What an allocation takes of the heap: a header, and a size in steps of 16 bytes.
fn taken(size: usize) -> i64 {
    (size as i64 + 8 + 15) & !15
}

// SAFETY: every method does what the system's allocator does; counting allocates nothing.
unsafe impl GlobalAlloc for Metered {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(taken(layout.size()));
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(taken(layout.size()));
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-taken(layout.size()));
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(taken(size) - taken(layout.size()));
        // SAFETY: the caller keeps the contract.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// The bytes that this thread has allocated and not released. What it releases for another thread counts for itself.
pub fn held_by_this_thread() -> u64 {
    HELD.try_with(Cell::get).map_or(0, |held| u64::try_from(held).unwrap_or(0))
}

/// The bytes of memory that the process occupies, if the system tells.
pub fn occupied_by_this_process() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

/// How long the threads of the process have been running on processors, together, if the system tells.
pub fn time_on_processors() -> Option<Duration> {
    /// Linux counts in these for everybody, whatever the kernel's own clock does.
    const TICKS_PER_SECOND: u64 = 100;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program comes second, in parentheses, and may have any characters.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    Some(Duration::from_millis((ticks()? + ticks()?) * 1000 / TICKS_PER_SECOND))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_process_occupies_some_memory() {
        assert!(occupied_by_this_process().is_none_or(|bytes| bytes > 1 << 16));
    }

    #[test]
    fn work_takes_time_on_processors() {
        let Some(before) = time_on_processors() else { return };
        let mut number = 1u64;
        while time_on_processors().is_some_and(|now| now < before + Duration::from_millis(50)) {
            (0..100_000).for_each(|_| number = std::hint::black_box(number.wrapping_mul(3)));
        }
        assert!(time_on_processors() > Some(before));
    }

    #[test]
    fn without_the_allocator_nothing_is_counted() {
        let bytes = vec![0u8; 1 << 20];
        assert_eq!(held_by_this_thread(), 0, "{}", bytes.len());
    }
}
