//! A stack deep enough for every tree the parser can build.
//!
//! Parsing, walking and dropping a syntax tree recurse; the tree's depth is bounded, so a fixed but generous stack is
//! enough.

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

/// The sizes to try: the memory is only reserved, but a limit on the address space may forbid the largest.
const STACK_SIZES: [usize; 2] = [1 << 30, 1 << 28];

/// Runs the front end's work on a thread of its own with a big stack, and gives back its result. A panic inside goes on
/// outside.
///
/// # Panics
/// When the system refuses to start any thread.
pub fn on_big_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let mut work = Some(work);
    let mut result = None;
    for size in STACK_SIZES {
        let joined = scope(|threads| {
            let run = || result = work.take().map(|work| work());
            Builder::new()
                .name("front end".into())
                .stack_size(size)
                .spawn_scoped(threads, run)
                .map(|thread| thread.join())
        });
        match joined {
            Ok(Ok(())) => break,
            Ok(Err(panic)) => resume_unwind(panic),
            Err(_) => {}
        }
    }
    result.expect("the system can start a thread")
}

#[cfg(test)]
mod tests {
    use super::on_big_stack;

    #[test]
    fn gives_back_the_result_and_has_room() {
        fn deep(levels: u32) -> u32 {
            let room = std::hint::black_box([levels; 4096]);
            if levels == 0 { room[0] } else { deep(levels - 1) + 1 }
        }
        assert_eq!(on_big_stack(|| deep(4000)), 4000);
    }

    #[test]
    #[should_panic(expected = "inside")]
    fn passes_a_panic_on() {
        on_big_stack(|| panic!("inside"));
    }
}
