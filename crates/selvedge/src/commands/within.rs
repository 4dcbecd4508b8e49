//! Work that does not look at a budget, within one: the front end. It runs on a thread of its own, and when the time is
//! up or the process occupies too much memory, nobody waits for it any longer; it ends with the process.

use selvedge_program::{Budget, Exhausted};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

/// How deep work may go.
const STACK: usize = 1 << 26;

/// How often the budget is looked at.
const TICK: Duration = Duration::from_millis(20);

/// What the work comes to, or the limit that was reached before.
pub fn within<T: Send + 'static>(budget: &Budget, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Exhausted> {
    let (sender, receiver) = sync_channel(1);
    let working = move || {
        // Whoever is not waiting any more does not want it.
        let _ = sender.send(work());
    };
    // The memory is only reserved.
    let worker = match std::thread::Builder::new().stack_size(STACK).spawn(working) {
        Ok(worker) => worker,
        Err(error) => {
            crate::output::complain(&format!("selvedge: no thread to work on: {error}\n"));
            std::process::exit(i32::from(super::INTERNAL));
        }
    };
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => unreachable!("a worker that ends has sent what it did"),
            },
            Err(RecvTimeoutError::Timeout) => {
                let occupied = selvedge_meter::occupied_by_this_process().unwrap_or(0);
                budget.check_with(occupied)?;
            }
        }
    }
}
