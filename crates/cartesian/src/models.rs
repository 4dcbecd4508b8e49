//! The examples of the paper as transition systems: Peterson's algorithm (Section 2) and the class of Section 5.

use crate::domain::{Component, Count, ExceptionSet, Group, Product, Shared};
use crate::table::Table;
use selvedge_program::bitset::BitSet;

/// Peterson's algorithm as in Section 2. A shared state is the number with the digits x, y, turn; locations A to D are
/// 0 to 3. A sets the own flag, B gives the turn to the other, C waits, D is the critical section and takes the flag
/// back.
pub fn peterson() -> Table {
    let mut moves = vec![Vec::new(), Vec::new()];
    for (thread, moves) in moves.iter_mut().enumerate() {
        let (mine, other) = if thread == 0 { (4, 2) } else { (2, 4) };
        // The turn is 1 after the first thread has given it away, 0 after the second has.
        let given = 1 - thread as u32;
        for g in 0..8u32 {
            moves.push(((g, 0), (g | mine, 1)));
            moves.push(((g, 1), (g & 6 | given, 2)));
            if g & other == 0 || g & 1 != given {
                moves.push(((g, 2), (g, 3)));
            }
            moves.push(((g, 3), (g & !mine, 0)));
        }
    }
    let one = Component { class: 0, count: Count::Exactly(1) };
    Table {
        components: vec![one; 2],
        initial: vec![(Shared(0), vec![Group::all(BitSet::of(0)); 2])],
        moves,
        exceptions: Vec::new(),
    }
}

/// The exception set that Section 2 gives for Peterson's algorithm: (110, B, D), (110, C, C), (111, D, B).
pub fn peterson_exceptions() -> Vec<ExceptionSet> {
    let shape = [Count::Exactly(1); 2];
    let tuple = |a, b| vec![Group::all(BitSet::of(a)), Group::all(BitSet::of(b))];
    let mut sets = vec![ExceptionSet::default(); 8];
    sets[6] = ExceptionSet::new([tuple(1, 3), tuple(2, 2)], &shape);
    sets[7] = ExceptionSet::new([tuple(3, 1)], &shape);
    sets
}

/// How the threads of [`critical_sections`] are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Threads {
    /// Not at all: one component.
    Interchangeable(Count),
    /// Every thread is its own component, as in the paper's implementation.
    Distinct(u32),
}

/// The class of Section 5: threads that pass through m critical sections under one Boolean lock, again and again. Local
/// state 3k is before the k-th section, 3k + 1 in it, 3k + 2 before its release.
pub fn critical_sections(threads: Threads, sections: u32) -> Table {
    let mut moves = Vec::new();
    for k in 0..sections {
        let next = 3 * ((k + 1) % sections);
        moves.push(((0, 3 * k), (1, 3 * k + 1)));
        for g in 0..2 {
            moves.push(((g, 3 * k + 1), (g, 3 * k + 2)));
            moves.push(((g, 3 * k + 2), (0, next)));
        }
    }
    let critical: BitSet = (0..sections).flat_map(|k| [3 * k + 1, 3 * k + 2]).collect();
    let other: BitSet = (0..sections).map(|k| 3 * k).collect();
    let start = Group::all(BitSet::of(0));
    let (components, exceptions): (Vec<Component>, Vec<Product>) = match threads {
        Threads::Interchangeable(count) => {
            (vec![Component { class: 0, count }], vec![vec![Group::one(critical, other)]])
        }
        Threads::Distinct(number) => {
            let row = |inside: u32| {
                let set = |thread| if thread == inside { critical.clone() } else { other.clone() };
                (0..number).map(|thread| Group { slots: vec![set(thread)], rest: BitSet::new() }).collect()
            };
            (vec![Component { class: 0, count: Count::Exactly(1) }; number as usize], (0..number).map(row).collect())
        }
    };
    let shape: Vec<Count> = components.iter().map(|component| component.count).collect();
    let held = match threads {
        // The paper shows this to be a maximised antichain.
        Threads::Distinct(_) => ExceptionSet::of_antichain(exceptions),
        Threads::Interchangeable(_) => ExceptionSet::new(exceptions, &shape),
    };
    Table {
        initial: vec![(Shared(0), vec![start; components.len()])],
        moves: vec![moves; components.len()],
        components,
        exceptions: vec![ExceptionSet::default(), held],
    }
}
