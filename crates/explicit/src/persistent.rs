//! Partial-order reduction by persistent sets.
//!
//! # The sets
//!
//! A set P of threads is grown from one thread: when what a member is about to do conflicts with anything another thread may
//! ever do (its [future](crate::future)), that thread joins. Two steps that do not conflict can be taken in either order with the
//! same result, and neither switches the other on or off: the atomicity of an update is that of its footprint, guards
//! included; the end of a life (`free`, a return, a thread's end) writes the whole object; starts of threads conflict with each
//! other, since they number threads. The end of a thread writes its status, but a join cannot read that before, so the two
//! need not conflict. An atomic section counts as one step with everything it may touch.
//!
//! # What is preserved
//!
//! Let a full exploration go from s by steps w to a violation; we show by induction on the length of w that the reduced one
//! reaches it too. Let P be the set explored at s.
//! - If a member of P moves in w, the first such step t is independent of the steps before it, so t can be taken at s, and the
//!   rest of w after it.
//! - Otherwise no member moves in w. If the violation is a step of a member (a failed assertion, undefined behaviour), that step
//!   fails at s already. If it is a race of a member's next access with that of another thread, the other's access is in its
//!   future, so it is a member too, and both are at their accesses in s already. If it is a deadlock, a member that could
//!   move at s, and not only by a spurious wake-up, could still move in the end: a contradiction. If no member takes part, any
//!   step of P can be taken first, and w after it, to the same violation.
//! - The last case does not shorten w. So P is explored only if one of its steps leads to a state that has not been expanded
//!   yet; otherwise all threads are. Following such steps, states are expanded later and later, until one is expanded in full
//!   or a member of P is the next to move in w.
//!
//! Steps that lead to no state (failures, what is not modelled, the end of the process) never make up the whole of an explored
//! set: they count as if the thread could not move. So do steps into an atomic section that the thread does not get out of at
//! once: stuck in there, it would hold up all others; and where there are atomic sections, steps to where an assumption does
//! not hold: a state in which a section is stuck is a deadlock only if no thread has given up. After the end of the process nothing can be violated, so no w contains it.

use selvedge_program::ThreadIndex;

use crate::outlook::Next;
use crate::world::World;

/// The sets to try at a state, the smallest first; together they contain every live thread.
pub fn candidates(world: &World, starts_are_bounded: bool) -> Vec<Vec<ThreadIndex>> {
    let live: Vec<ThreadIndex> = world.live().collect();
    if live.len() < 2 || live.len() > MOST_THREADS {
        return vec![live];
    }
    let neighbours: Vec<u128> =
        live.iter().map(|thread| neighbours(world, &live, *thread, starts_are_bounded)).collect();
    let mut sets: Vec<u128> = (0..live.len()).map(|seed| closure(&neighbours, seed)).collect();
    // Where steps are fused, a thread stands before a private step only because that fails: it must not wait for another thread
    // that may run for ever.
    let is_private = |position: &usize| world.outlook(live[*position]).is_independent();
    let private = (0..live.len()).filter(is_private).fold(0u128, |set, position| set | 1 << position);
    sets.sort_unstable_by_key(|set| (set.count_ones(), set & !private != 0, *set));
    sets.dedup();
    let members = |set: u128| (0..live.len()).filter(|position| set >> position & 1 == 1).map(|p| live[p]).collect();
    sets.into_iter().map(members).collect()
}

/// Beyond so many live threads all are expanded.
const MOST_THREADS: usize = 128;

/// The positions of the threads that must join a set that a thread belongs to.
fn neighbours(world: &World, live: &[ThreadIndex], thread: ThreadIndex, starts_are_bounded: bool) -> u128 {
    let outlook = world.outlook(thread);
    let all = outlook.next == Next::Start && starts_are_bounded;
    let mut found = 0;
    if outlook.next != Next::Exit {
        for (position, other) in live.iter().enumerate() {
            if *other != thread && (all || outlook.conflicts_with(*other, world.outlook(*other))) {
                found |= 1 << position;
            }
        }
    }
    found
}

fn closure(neighbours: &[u128], seed: usize) -> u128 {
    let mut set = 1u128 << seed;
    let mut pending = set;
    while pending != 0 {
        let position = pending.trailing_zeros() as usize;
        let new = neighbours[position] & !set;
        set |= new;
        pending = pending & !(1 << position) | new;
    }
    set
}
