//! Threads that have finished and that nothing names any more are taken out of a state when there are many of them, so
//! that a program that starts threads for ever does not pay for all that there have been. They are left out of its
//! encoding anyway ([`encode`](crate::encode)). A handle that is still somewhere keeps its thread: joining it once
//! more, or detaching it, is the mistake that it was.

use selvedge_program::ThreadIndex;

use crate::parts::Shared;
use crate::view::View;

/// So many threads that are of no account may stay.
const FEW: usize = 16;

/// The threads to keep, in order, if there are enough others.
pub fn kept(view: View<'_, '_, '_>) -> Option<Vec<ThreadIndex>> {
    let has_finished = |thread: &ThreadIndex| view.frames(*thread).is_empty();
    if view.thread_count() <= FEW || view.threads().filter(has_finished).count() <= FEW {
        return None;
    }
    let mut is_named = vec![false; view.thread_count()];
    let mut name = |threads: &[ThreadIndex], by: Option<ThreadIndex>| {
        for thread in threads.iter().filter(|thread| Some(**thread) != by) {
            if let Some(is_named) = is_named.get_mut(thread.index()) {
                *is_named = true;
            }
        }
    };
    for thread in view.threads() {
        name(&view.local(thread).named, None);
        name(&view.own(thread).named, Some(thread));
    }
    let parts = view.parts();
    for (position, shared) in parts.shared().iter().enumerate() {
        let number = view.shared(position);
        match shared {
            Shared::Section => {}
            Shared::Variable(_, variable) => name(&parts.variable(*variable, number).named, None),
            Shared::Ghost(_) => parts.ghost(number).into_iter().for_each(|ghost| name(&ghost.named, None)),
        }
    }
    // The first thread is `main`'s whatever becomes of it.
    let stays = |thread: &ThreadIndex| thread.0 == 0 || !has_finished(thread) || is_named[thread.index()];
    let kept: Vec<ThreadIndex> = view.threads().filter(stays).collect();
    (kept.len() + FEW < view.thread_count()).then_some(kept)
}
