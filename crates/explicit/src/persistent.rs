//! Partial-order reduction by persistent sets.
//!
//! # The sets
//!
//! A set P of threads is grown from one thread: when what a member is about to do conflicts with anything another
//! thread may ever do (its [future](crate::future)), that thread joins. Two steps that do not conflict can be taken in
//! either order with the same result, and neither switches the other on or off: the atomicity of an update is that of
//! its footprint, guards included; the end of a life (`free`, a return, a thread's end) writes the whole object; starts
//! of threads conflict with each other, since they number threads. The end of a thread writes its status, but a join
//! cannot read that before, and a detachment does not mind ([`blind`](crate::blind)), so these need not conflict with
//! it. An atomic section counts as one step with everything it may touch.
//!
//! # What is preserved
//!
//! Let a full exploration go from s by steps w to a violation; we show by induction on the length of w that the reduced
//! one reaches it too. Let P be the set explored at s.
//! - If a member of P moves in w, the first such step t is independent of the steps before it, so t can be taken at s,
//!   and the rest of w after it.
//! - Otherwise no member moves in w. If the violation is a step of a member (a failed assertion, undefined behaviour),
//!   that step fails at s already. If it is a race of a member's next access with that of another thread, the other's
//!   access is in its future, so it is a member too, and both are at their accesses in s already. If it is a deadlock,
//!   a member that could move at s, and not only by a spurious wake-up, could still move in the end: a contradiction.
//!   If no member takes part, any step of P can be taken first, and w after it, to the same violation.
//! - The last case does not shorten w. So P is explored only if one of its steps leads to a state that has not been
//!   expanded yet; otherwise all threads are. Following such steps, states are expanded later and later, until one is
//!   expanded in full or a member of P is the next to move in w.
//!
//! Where a state space is infinite, always following fresh states may leave out others for ever. So that a thread that
//! goes on starting threads does not keep them from moving, its starts conflict with everything once many threads are
//! alive.
//!
//! Steps that lead to no state (failures, what is not modelled, the end of the process) never make up the whole of an
//! explored set: they count as if the thread could not move. So do steps into an atomic section that the thread does
//! not get out of at once: stuck in there, it would hold up all others; and where there are atomic sections, steps to
//! where an assumption does not hold: a state in which a section is stuck is a deadlock only if no thread has given up.
//! After the end of the process nothing can be violated, so no w contains it.

use selvedge_program::ThreadIndex;

use crate::outlook::Next;
use crate::view::View;
use crate::world::MANY;
use selvedge_program::bitset;

/// The sets to try at a state, the smallest first; together they contain every live thread.
#[derive(Debug, Default)]
pub struct Candidates {
    live: Vec<ThreadIndex>,
    neighbours: Vec<u64>,
    sets: Vec<u64>,
    /// The [conflicts](crate::outlook::Outlook::conflicts) and the [future](crate::outlook::Outlook::future) of every
    /// live thread, one after the other.
    conflicts: Vec<u64>,
    futures: Vec<u64>,
}

impl Candidates {
    /// Finds the sets, and says how many there are.
    pub fn find(&mut self, view: View<'_, '_, '_>, starts_are_bounded: bool) -> usize {
        self.live.clear();
        self.live.extend(view.live());
        self.sets.clear();
        if self.live.len() < 2 || self.live.len() > MOST_THREADS {
            return 1;
        }
        self.find_neighbours(view, starts_are_bounded);
        for seed in 0..self.live.len() {
            let set = closure(&self.neighbours, seed);
            if !self.sets.contains(&set) {
                self.sets.push(set);
            }
        }
        // Where steps are fused, a thread stands before a private step only because that fails: it must not wait for
        // another thread that may run for ever.
        let is_private = |position: &usize| view.outlook(self.live[*position]).is_independent();
        let private = (0..self.live.len()).filter(is_private).fold(0u64, |set, position| set | 1 << position);
        self.sets.sort_unstable_by_key(|set| (set.count_ones(), set & !private != 0, *set));
        self.sets.len()
    }

    /// For every live thread, the positions of those that must join a set that it belongs to.
    fn find_neighbours(&mut self, view: View<'_, '_, '_>, starts_are_bounded: bool) {
        self.conflicts.clear();
        self.futures.clear();
        for thread in &self.live {
            let outlook = view.outlook(*thread);
            self.conflicts.extend_from_slice(&outlook.conflicts);
            self.futures.extend_from_slice(&outlook.future);
        }
        let words = self.conflicts.len() / self.live.len();
        let everyone = u64::MAX >> (MOST_THREADS - self.live.len());
        self.neighbours.clear();
        for (position, thread) in self.live.iter().enumerate() {
            let outlook = view.outlook(*thread);
            let mut found = 0;
            if outlook.next == Next::Start && (starts_are_bounded || self.live.len() > MANY) {
                found = everyone;
            } else if outlook.next != Next::Exit {
                let conflicts = &self.conflicts[position * words..][..words];
                for (other, future) in self.futures.chunks_exact(words).enumerate() {
                    found |= u64::from(bitset::intersects(conflicts, future)) << other;
                }
                let watched = |other: &ThreadIndex| outlook.watches.contains(other);
                if !outlook.watches.is_empty() {
                    let positions = self.live.iter().enumerate().filter(|(_, other)| watched(other));
                    found |= positions.fold(0, |set, (other, _)| set | 1 << other);
                }
            }
            self.neighbours.push(found & !(1 << position));
        }
    }

    /// One of the sets, as a set of positions among the live threads; `None` for all of them.
    pub fn set(&self, number: usize) -> Option<u64> {
        self.sets.get(number).copied()
    }

    /// The live threads.
    pub fn live(&self) -> &[ThreadIndex] {
        &self.live
    }
}

/// Beyond so many live threads all are expanded.
const MOST_THREADS: usize = 64;

fn closure(neighbours: &[u64], seed: usize) -> u64 {
    let mut set = 1u64 << seed;
    let mut pending = set;
    while pending != 0 {
        let position = pending.trailing_zeros() as usize;
        let new = neighbours[position] & !set;
        set |= new;
        pending = pending & !(1 << position) | new;
    }
    set
}
