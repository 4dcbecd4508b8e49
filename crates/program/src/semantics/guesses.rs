//! Addresses that a value out of nothing may happen to be: within an object that is alive or just past its end, of a
//! function whose address is taken, of a thread. What is allocated later is not among them; `docs/assumptions.md` says
//! so.

use crate::Program;
use crate::semantics::state::State;
use crate::semantics::value::{Instance, Pointer, Value};

/// Addresses to try.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guesses {
    /// The addresses.
    pub values: Vec<Value>,
    /// Whether these are all.
    pub are_all: bool,
}

impl State {
    /// Whether a value out of nothing may be this address.
    pub fn is_address(&self, program: &Program, pointer: Pointer) -> bool {
        match pointer.object {
            Instance::Function(function) => pointer.offset == 0 && program.address_taken.contains(&function),
            Instance::Thread(thread) => pointer.offset == 0 && thread.index() < self.thread_count(),
            object => self.memory().block(object).is_some_and(|block| pointer.offset <= block.contents.size()),
        }
    }

    /// All such addresses; where there are more than so many, the start of every object, up to so many.
    pub fn guesses(&self, program: &Program, most: usize) -> Guesses {
        let total = self.extents(program).map(|(_, last)| u128::from(last) + 1).sum::<u128>();
        let are_all = total <= most as u128;
        let pointers = self.extents(program).flat_map(|(object, last)| {
            let last = if are_all { last } else { 0 };
            (0..=last).map(move |offset| Value::Pointer(Pointer { object, offset }))
        });
        Guesses { values: pointers.take(most).collect(), are_all }
    }

    /// What has an address, and the last offset that belongs to it.
    fn extents<'a>(&'a self, program: &'a Program) -> impl Iterator<Item = (Instance, u64)> + 'a {
        let objects = self.memory().live().map(|(object, block)| (object, block.contents.size()));
        let functions = program.address_taken.iter().map(|function| (Instance::Function(*function), 0));
        let threads = self.thread_indices().map(|thread| (Instance::Thread(thread), 0));
        objects.chain(functions).chain(threads)
    }
}
