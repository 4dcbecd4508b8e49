//! What a step did, in the user's words.

use crate::names::Names;
use selvedge_program::semantics::{AccessKind, Change, Changed, Effects, Event, GhostKey, Instance, Spot, Value};
use selvedge_program::{Bits, Display, Edge, FunctionId, GhostField, Program, ThreadIndex};
use std::collections::BTreeSet;

/// One thing to be said of a step: a variable with a value, or words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The variable; `None` for words.
    pub name: Option<String>,
    /// Whether the value was read.
    pub is_read: bool,
    /// Whether it is a bit-field that was read together with others.
    pub is_among_bits: bool,
    /// The value, or the words.
    pub what: String,
    /// The bytes that were written, if some were.
    pub written: Option<Written>,
}

/// Bytes of an object that a step has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The object.
    pub object: Instance,
    /// What the object is called.
    pub name: String,
    /// From this byte on.
    pub offset: u64,
    /// So many.
    pub size: u64,
    /// The number, if it is one.
    pub value: Option<Bits>,
    /// Whether a call of the library does it.
    pub is_by_library: bool,
}

impl Said {
    /// Words.
    pub fn words(what: String) -> Self {
        Said { name: None, is_read: false, is_among_bits: false, what, written: None }
    }

    fn set(name: String, what: String) -> Self {
        Said { name: Some(name), is_read: false, is_among_bits: false, what, written: None }
    }

    /// The innermost member of its name.
    pub fn last_name(&self) -> &str {
        self.name.as_deref().and_then(|name| name.rsplit(['.', '>']).next()).unwrap_or("")
    }

    /// What makes two of them the same but for the value.
    pub fn key(&self) -> (Option<String>, bool, Option<String>) {
        let words = if self.name.is_none() || self.is_read { Some(self.what.clone()) } else { None };
        (self.name.clone(), self.is_read, words)
    }

    /// `x = 1`, `x is 1`, or the words.
    pub fn text(&self) -> String {
        match &self.name {
            Some(name) if self.is_read => format!("{name} is {}", self.what),
            Some(name) => format!("{name} = {}", self.what),
            None => self.what.clone(),
        }
    }
}

/// What a step of a thread did, as far as it means something to the user.
pub fn describe(
    program: &Program,
    names: &Names<'_>,
    thread: ThreadIndex,
    (function, edge): (FunctionId, &Edge),
    effects: &Effects,
    shared: &BTreeSet<Instance>,
) -> Vec<Said> {
    let is_the_users = program.is_the_users(edge.span);
    let mut said = if is_the_users { reads(names, thread, effects, shared) } else { Vec::new() };
    for change in &effects.changes {
        let is_new = change.old.as_ref() != Some(&change.new);
        match change.what {
            Changed::Register(function, register) => {
                let register = program.function(function).register(register);
                if let Some(name) = register.name.as_ref().filter(|_| is_new && names.knows(function)) {
                    said.push(Said::set(name.clone(), names.value(&change.new, register.display, thread)));
                }
            }
            Changed::Memory { object, .. } if names.is_internal(object) || names.is_before_main(function) => {}
            Changed::Memory { object, offset, size } => {
                let stored = stored(names, thread, change, object, offset, size);
                let by_whom = |written: Written| Written { is_by_library: !is_the_users, ..written };
                said.extend(stored.into_iter().map(|said| Said { written: said.written.map(by_whom), ..said }));
            }
            Changed::Ghost(key) if is_new && key.object.is_none_or(|object| !names.is_internal(object)) => {
                said.extend(library_words(names, thread, key, change));
            }
            Changed::Ghost(_) => {}
        }
    }
    // A thread wakes up before it takes the lock again, which is one step.
    said.sort_by_key(|said| said.what != WAKES_UP);
    for event in &effects.events {
        match event {
            Event::Started(thread, _) => said.push(Said::words(format!("starts thread {}", thread.0))),
            Event::Finished(_) => said.push(Said::words("ends".to_owned())),
            Event::Ended(_) => said.push(Said::words("the process ends".to_owned())),
            Event::Allocated { size, .. } => said.push(Said::words(format!("allocates {size} bytes"))),
            Event::Freed(object) => {
                said.push(Said::words(format!("frees {}", names.place(*object, 0, 0, Some(thread)))))
            }
            Event::Forgotten(_) | Event::Called(_) | Event::Returned(_) => {}
        }
    }
    said
}

/// A store; of bit-fields, those that have changed.
fn stored(
    names: &Names<'_>,
    thread: ThreadIndex,
    change: &Change,
    object: Instance,
    offset: u64,
    size: u32,
) -> Vec<Said> {
    let fields = names.bit_fields(object, offset, size);
    if let (false, Some(new)) = (fields.is_empty(), bits_of(&change.new)) {
        let old = change.old.as_ref().and_then(bits_of);
        let field = |bits: Bits, first: u32, width: u32| Bits::new(width, bits.unsigned() >> first);
        let changed = fields.into_iter().filter(|(_, first, width, _)| {
            old.is_none_or(|old| field(old, *first, *width) != field(new, *first, *width))
        });
        let said = changed.map(|(name, first, width, display)| {
            let value = Value::Bits(field(new, first, width));
            Said::set(name, names.value(&value, display, thread))
        });
        return said.collect();
    }
    let display = names.display(object, offset, size);
    let said = Said::set(names.place(object, offset, size, Some(thread)), names.value(&change.new, display, thread));
    let name = names.place(object, 0, 0, Some(thread));
    let written =
        Written { object, name, offset, size: u64::from(size), value: bits_of(&change.new), is_by_library: false };
    vec![Said { written: Some(written), ..said }]
}

fn bits_of(value: &Value) -> Option<Bits> {
    match value {
        Value::Bits(bits) => Some(*bits),
        Value::Pointer(_) | Value::Raw(_) => None,
    }
}

/// What a step loads from a variable that others may change, with the value: a lost update shows in what was read.
fn reads(names: &Names<'_>, thread: ThreadIndex, effects: &Effects, shared: &BTreeSet<Instance>) -> Vec<Said> {
    let (Some(access), Some(change)) = (effects.accesses.first(), effects.changes.first()) else { return Vec::new() };
    let (AccessKind::Read, Spot::Bytes { object, offset, size }, Changed::Register(..)) =
        (access.kind, access.spot, change.what)
    else {
        return Vec::new();
    };
    let is_global = matches!(object, Instance::Static(_));
    if !(is_global || shared.contains(&object)) || names.is_constant(object) || names.is_internal(object) {
        return Vec::new();
    }
    if change.new.as_pointer().is_some_and(|pointer| names.is_internal(pointer.object)) {
        return Vec::new();
    }
    let size = u32::try_from(size).unwrap_or(0);
    let read = |name: String, what: String| Said {
        name: Some(name),
        is_read: true,
        is_among_bits: false,
        what,
        written: None,
    };
    let fields = names.bit_fields(object, offset, size);
    if let (false, Some(bits)) = (fields.is_empty(), bits_of(&change.new)) {
        let one = |(name, first, width, display): (String, u32, u32, Display)| {
            let value = Value::Bits(Bits::new(width, bits.unsigned() >> first));
            Said { is_among_bits: true, ..read(name, names.value(&value, display, thread)) }
        };
        return fields.into_iter().map(one).collect();
    }
    let display = names.display(object, offset, size);
    vec![read(names.place(object, offset, size, Some(thread)), names.value(&change.new, display, thread))]
}

/// What is said of a thread that sleeps on a condition variable no longer, though nobody has woken it.
const WAKES_UP: &str = "wakes up without a signal";

/// What the change of a lock's or a thread's state means, in words.
fn library_words(names: &Names<'_>, thread: ThreadIndex, key: GhostKey, change: &Change) -> Option<Said> {
    let object = key.object.map_or(String::new(), |object| names.lock(object, key.offset, Some(thread)));
    let is_set = !change.new.is_zero();
    let is_own = key.object == Some(Instance::Thread(thread));
    let value = || names.value(&change.new, Display::Unsigned, thread);
    let words = match key.field {
        GhostField::MutexOwner | GhostField::SpinOwner if is_set => format!("locks {object}"),
        GhostField::MutexOwner | GhostField::SpinOwner => format!("unlocks {object}"),
        GhostField::WriteOwner if is_set => format!("locks {object} for writing"),
        GhostField::WriteOwner => format!("unlocks {object}"),
        GhostField::Readers => {
            let before = change.old.as_ref().and_then(bits_of).map_or(0, Bits::unsigned);
            let now = bits_of(&change.new).map_or(0, Bits::unsigned);
            if now > before { format!("locks {object} for reading") } else { format!("unlocks {object}") }
        }
        GhostField::ThreadStatus => format!("joins {object}"),
        GhostField::WaitingOn if is_set => match change.new.as_pointer() {
            Some(pointer) => format!("sleeps on {}", names.lock(pointer.object, pointer.offset, Some(thread))),
            None => format!("sleeps on {}", value()),
        },
        GhostField::WaitingOn if is_own => WAKES_UP.to_owned(),
        GhostField::WaitingOn => format!("wakes {object}"),
        GhostField::ThreadDetached => format!("detaches {object}"),
        GhostField::WaitingWriters if is_set => format!("waits for {object}"),
        GhostField::SemaphoreValue => format!("semaphore {object} is now {}", value()),
        GhostField::BarrierArrived => format!("{} have arrived at {object}", value()),
        GhostField::Destroyed if is_set => format!("destroys {object}"),
        GhostField::Destroyed => format!("initialises {object}"),
        GhostField::OnceState => format!("{object}: {}", if value() == "2" { "has been run" } else { "is being run" }),
        GhostField::Cancellation => format!("cancellation of {object} changes"),
        GhostField::MutexCount => format!("{object} is now locked {} times", value()),
        GhostField::ThreadSpecific => format!("thread-specific value {} = {}", key.offset, value()),
        GhostField::ThreadResult
        | GhostField::Attribute
        | GhostField::NextKey
        | GhostField::WaitingWith
        | GhostField::WaitingWriters
        | GhostField::MutexKind
        | GhostField::BarrierThreshold
        | GhostField::ObjectSize => return None,
    };
    Some(Said::words(words))
}
