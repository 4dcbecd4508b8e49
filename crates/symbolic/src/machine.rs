//! What an execution brings with it: what its registers, cells and objects are called, and what becomes of accesses to
//! them. The meaning of expressions, places and actions is told over this, and is the same for everyone.

use selvedge_logic::Term;
use selvedge_program::{
    AccessMode, CheckId, FrameObjectId, GhostField, InitialContents, Object, Program, Register, RegisterId, SiteId,
    Storage,
};

use crate::builder::Builder;
use crate::cell::CellKey;
use crate::entity::Entity;
use crate::eval::{Eval, Trouble};
use crate::stretch::{Reading, Stretch};
use crate::word::{Tag, Value, Word};

/// Memory that a step asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// A number of the width of its type.
    pub size: Term,
    pub align: u32,
    pub storage: Storage,
    pub contents: InitialContents,
    pub site: SiteId,
}

/// What to do with an access that may mean very many places of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Many {
    /// Each is a place of its own.
    List,
    /// They are a stretch of an array, somewhere.
    Stretch,
    /// It is not modelled; so many would be.
    Refuse(u64),
}

/// Why a step cannot be taken that is otherwise in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// It is the wrong side of a branch.
    Branch,
    /// It waits for other threads.
    Waits,
}

/// A thread under way. Conditions are relative to the moment at which the step begins.
pub trait Machine<'p> {
    fn program(&self) -> &'p Program;
    fn builder(&mut self) -> &mut Builder;
    /// The condition under which nothing has kept the step from happening so far.
    fn ok(&mut self) -> &mut Term;
    /// Under a condition, which implies [`Machine::ok`], the step does not happen, for this reason.
    fn fails(&mut self, when: Term, trouble: Trouble);
    /// An assertion fails under a condition.
    fn violates(&mut self, when: Term, check: CheckId);
    /// The step cannot be taken, under a condition. (With a condition that never holds: from now on it is known that it
    /// might not.)
    fn blocks(&mut self, when: Term, block: Block);
    /// Evaluates expressions of the running activation. Troubles that come up go through [`crate::trouble`].
    fn evaluate<T>(&mut self, evaluate: impl FnOnce(&mut Eval<'_>) -> T) -> T;

    /// How a register of the running activation is declared.
    fn declaration(&self, register: RegisterId) -> Option<&'p Register>;
    /// What it holds, if that is pieces.
    fn pieces(&self, register: RegisterId) -> Option<Value>;
    fn assign(&mut self, register: RegisterId, value: Value);

    /// What an object is; `None` for tags that are not an object's.
    fn entity(&self, tag: Tag) -> Option<Entity>;
    /// The declaration of an object that there is only one of.
    fn static_object(&self, tag: Tag) -> Option<&'p Object>;
    /// Whether an object with bytes is treated as an array.
    fn is_array(&self, object: Tag) -> bool;
    /// An access may mean so many places of the bytes of an object.
    fn many(&mut self, object: Tag, count: u64) -> Many;
    /// The threads that may have this field set, with the cell; `None` if they are not known one by one, and the field
    /// is not tracked.
    fn threads(&mut self, field: GhostField) -> Option<Vec<(Tag, CellKey)>>;
    /// Any thread.
    fn any_thread(&mut self, width: u32) -> Word;
    /// What an address of a thread may mean: an object that stands for threads, when, and the offset in it.
    fn thread_places(&mut self, address: Word, tag: Tag) -> Vec<(Tag, Term, Term)>;

    /// The cells that make up some bytes of an object, in order.
    fn cells(&mut self, object: Tag, offset: u64, size: u64) -> Vec<CellKey>;
    /// Reads a cell, where the condition holds.
    fn read(&mut self, key: CellKey, when: Term) -> Word;
    /// Writes a cell, where the condition holds.
    fn write(&mut self, key: CellKey, when: Term, word: Word);
    /// What was read of a cell has been looked at: from now on it is what it turned out to be.
    fn settle(&mut self, key: CellKey, when: Term, word: Word);
    /// What was read of a cell is only moved.
    fn moved(&mut self, _key: CellKey, _word: Word) {}
    /// Reads somewhere in an array.
    fn load_stretch(&mut self, object: Tag, at: Stretch, when: Term, reading: Reading) -> Vec<(u32, Word)>;
    /// Writes somewhere in an array.
    fn store_stretch(&mut self, object: Tag, at: Stretch, when: Term, value: &Value);
    /// The accesses that follow belong to one access of the program.
    fn begin_access(&mut self) {}
    /// The thread is about to access a cell, where the condition holds: others may race with it.
    fn touch(&mut self, key: CellKey, when: Term, mode: AccessMode);

    /// A number out of nothing has been read, where the condition holds.
    fn chosen(&mut self, asked: Term, bits: Term);
    /// A thread has been picked among several, where the condition holds.
    fn picked(&mut self, asked: Term, thread: Word);
    /// A value out of nothing that may be an address; with these bits, where it is a number.
    fn address_out_of_nothing(&mut self, bits: Term) -> Word;

    /// Uninitialised memory that turns out to be an address; with these bits, where it is a number. `None` if that is
    /// not modelled.
    fn uninitialised_address(&mut self, bits: Term) -> Option<Word>;

    /// Whether another object stands for this one: what is wrong with it is noticed where it is wrong with that one.
    fn is_represented(&self, _tag: Tag) -> bool {
        false
    }
    /// Whether the thread's steps are to be those of an execution, so that nothing may be taken for more than it is.
    fn is_an_execution(&self) -> bool {
        false
    }
    /// Whether somebody wants to know how many threads have not been joined.
    fn counts_threads(&self) -> bool {
        false
    }
    /// A thread has been joined, under a condition.
    fn joins(&mut self, _when: Term) {}

    /// New memory; its address.
    fn allocate(&mut self, allocation: Allocation) -> Option<Word>;
    /// An object's life ends, under a condition.
    fn end(&mut self, tag: Tag, when: Term);
    /// A local of the running activation begins its life anew, with indeterminate contents.
    fn forget(&mut self, slot: FrameObjectId);
    /// A local of the running activation.
    fn local(&mut self, slot: FrameObjectId) -> Option<Tag>;
}

/// Something keeps the step from happening, under a condition.
pub fn trouble<'p>(m: &mut impl Machine<'p>, when: Term, trouble: Trouble) {
    let ok = *m.ok();
    let when = m.builder().and(ok, when);
    if m.builder().is(when, false) {
        return;
    }
    m.fails(when, trouble);
    *m.ok() = m.builder().and_not(ok, when);
}

/// Something is not modelled, under a condition.
pub(crate) fn unsupported<'p>(m: &mut impl Machine<'p>, when: Term, what: &str) {
    trouble(m, when, Trouble::Unsupported(what.to_owned()));
}

/// Takes a step whose troubles count only under a condition.
pub fn under<'p, M: Machine<'p>, T>(m: &mut M, when: Term, run: impl FnOnce(&mut M) -> T) -> T {
    if m.builder().is(when, true) {
        return run(m);
    }
    let outer = *m.ok();
    *m.ok() = m.builder().and(outer, when);
    let result = run(m);
    // What was fine within the condition, or outside of it.
    let otherwise = m.builder().and_not(outer, when);
    let within = *m.ok();
    *m.ok() = m.builder().or(within, otherwise);
    result
}
