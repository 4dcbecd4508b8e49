//! Atomic updates: several reads and writes as one; the counterpart of the concrete semantics' `atomic`.
//!
//! What the steps assign is assigned at once: where a later guard or check keeps the update from happening, nobody sees
//! the state.

use selvedge_logic::{Sort, Term};
use selvedge_program::{AtomicStep, Expr, GhostField, Operation};

use crate::Trouble;
use crate::access::{ghost_word, read, store};
use crate::cell::{CellKey, GHOST_WIDTH};
use crate::machine::{Block, Machine, trouble, unsupported};
use crate::word::{Tag, Value, Word};

/// Makes an update.
pub fn update<'p>(m: &mut impl Machine<'p>, steps: &[AtomicStep]) {
    let no = m.builder().no;
    m.blocks(no, Block::Waits);
    for step in steps {
        take(m, step);
    }
}

fn take<'p>(m: &mut impl Machine<'p>, step: &AtomicStep) {
    let yes = m.builder().yes;
    match step {
        AtomicStep::Mark { when, operation: Operation::Join, .. } if m.counts_threads() => {
            let when = m.evaluate(|eval| eval.truth(when, yes));
            m.joins(when);
        }
        AtomicStep::Spurious | AtomicStep::Mark { .. } => {}
        AtomicStep::Read { target, access } => {
            if let Some(register) = m.declaration(*target) {
                let word = read(m, access, register);
                m.assign(*target, Value::Word(word));
            }
        }
        AtomicStep::Let { target, value } => {
            let word = m.evaluate(|eval| eval.word(value, yes));
            m.assign(*target, Value::Word(word));
        }
        AtomicStep::Guard(condition) => {
            let holds = m.evaluate(|eval| eval.truth(condition, yes));
            guard(m, holds, Block::Waits);
        }
        AtomicStep::Require(condition, otherwise) => {
            let holds = m.evaluate(|eval| eval.truth(condition, yes));
            let fails = m.builder().not(holds);
            trouble(m, fails, Trouble::Undefined(*otherwise));
        }
        AtomicStep::Write { when, access, value } => {
            let when = m.evaluate(|eval| eval.truth(when, yes));
            if !m.builder().is(when, false) {
                let value = m.evaluate(|eval| eval.word(value, when));
                store(m, access, &Value::Word(value), when);
            }
        }
        AtomicStep::PickThread { target, field, equals } => {
            if let Some(register) = m.declaration(*target) {
                let word = pick_thread(m, *field, equals, register.width);
                m.assign(*target, Value::Word(word));
            }
        }
        AtomicStep::WriteThreads { field, equals, value } => {
            let value = m.evaluate(|eval| eval.word(value, yes));
            let value = ghost_word(m.builder(), value, GHOST_WIDTH);
            for (_, key, matches) in matching_threads(m, *field, equals).into_iter().flatten() {
                m.write(key, matches, value);
            }
        }
    }
}

/// The step can be taken only when a condition holds.
pub(crate) fn guard<'p>(m: &mut impl Machine<'p>, holds: Term, block: Block) {
    if m.builder().is(holds, true) {
        return;
    }
    let ok = *m.ok();
    let waits = m.builder().and_not(ok, holds);
    m.blocks(waits, block);
    *m.ok() = m.builder().and(ok, holds);
}

/// The threads whose ghost field may equal a value, each with its cell and the condition that it does; `None` if they
/// are not known.
fn matching_threads<'p>(
    m: &mut impl Machine<'p>,
    field: GhostField,
    equals: &Expr,
) -> Option<Vec<(Tag, CellKey, Term)>> {
    let yes = m.builder().yes;
    let equals = m.evaluate(|eval| eval.word(equals, yes));
    let equals = ghost_word(m.builder(), equals, GHOST_WIDTH);
    let null = m.builder().number(GHOST_WIDTH, 0);
    let nothing = m.builder().same(equals, null);
    unsupported(m, nothing, "waking threads that wait for nothing");
    let mut found = Vec::new();
    for (thread, key) in m.threads(field)? {
        let value = m.read(key, yes);
        let matches = m.builder().same(value, equals);
        if !m.builder().is(matches, false) {
            found.push((thread, key, matches));
        }
    }
    Some(found)
}

/// Any of the threads that match, or null if none does.
fn pick_thread<'p>(m: &mut impl Machine<'p>, field: GhostField, equals: &Expr, width: u32) -> Word {
    let Some(matching) = matching_threads(m, field, equals) else {
        let yes = m.builder().yes;
        let thread = m.any_thread(width);
        m.picked(yes, thread);
        return thread;
    };
    let builder = m.builder();
    let mut picked = builder.number(width, 0);
    let (mut any, mut several) = (builder.no, builder.no);
    for (thread, _, matches) in matching {
        let thread = builder.pointer(thread, width);
        let again = builder.and(any, matches);
        several = builder.or(several, again);
        // The first that matches, or any later one that the choice prefers.
        let preferred = builder.fresh("p", Sort::Bool);
        let first = builder.not(any);
        let taken = builder.or(first, preferred);
        let taken = builder.and(taken, matches);
        picked = builder.choose(taken, thread, picked);
        any = builder.or(any, matches);
    }
    if !builder.is(several, false) {
        m.picked(several, picked);
    }
    picked
}
