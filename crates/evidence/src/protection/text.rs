//! Proofs by protection as text.
//!
//! ```text
//! body   = ( "company" function set )*, lock*, ( "object" name ( "read only" | "guarded by" number ) )*
//! lock   = "lock" number kind "at" offset "in" object, ( ( "exclusive" | "shared" ) function set | "keeps" function )*
//! kind   = "mutex" | "spin" | "read-write"
//! ```
//! The sets are of locations of a function: where other threads may have been started, and where the lock is held.

use super::{Held, Lock, Protection, ProtectionProof};
use crate::file::lines::{Line, Unreadable};
use crate::file::sets::{read_set, set_text};
use crate::file::write_line;
use selvedge_program::{FunctionId, LockKind, LockMode, ObjectId, Program};
use selvedge_symbolic::Root;
use selvedge_symbolic::predicate::{function_name, read_function, read_root, root_name};
use std::collections::BTreeSet;

const KINDS: [(LockKind, &str); 3] =
    [(LockKind::Mutex, "mutex"), (LockKind::Spin, "spin"), (LockKind::ReadWrite, "read-write")];
const MODES: [(LockMode, &str); 2] = [(LockMode::Exclusive, "exclusive"), (LockMode::Shared, "shared")];

impl ProtectionProof {
    /// Writes it.
    pub(crate) fn write(&self, program: &Program, text: &mut String) {
        let object_name = |object: ObjectId| root_name(program, Root::Static(object));
        write_sets(program, "company", &self.company, |there| *there, text);
        for (number, (lock, held)) in self.held.iter().enumerate() {
            let kind = KINDS.iter().find(|(kind, _)| *kind == lock.kind).map_or("", |(_, name)| name);
            write_line(text, &format!("lock {number} {kind} at {} in {}", lock.offset, object_name(lock.object)), "");
            for (mode, name) in MODES {
                write_sets(program, &format!("  {name}"), &held.at, |at| *at == Some(mode), text);
            }
            for (function, _) in held.keeps.iter().enumerate().filter(|(_, keeps)| **keeps) {
                write_line(text, &format!("  keeps {}", function_name(program, FunctionId::new(function))), "");
            }
        }
        for (object, by) in &self.objects {
            let by = match by {
                Protection::ReadOnly => "read only".to_owned(),
                Protection::Guarded(lock) => {
                    format!("guarded by {}", self.held.keys().take_while(|other| *other != lock).count())
                }
            };
            write_line(text, &format!("object {} {by}", object_name(*object)), "");
        }
    }

    /// Reads what [`ProtectionProof::write`] writes.
    pub(crate) fn read(program: &Program, body: &[Line<'_>]) -> Result<ProtectionProof, Unreadable> {
        let mut proof = ProtectionProof { company: everywhere(program, false), ..ProtectionProof::default() };
        let mut locks: Vec<Lock> = Vec::new();
        for line in body {
            if let Some(rest) = line.after("company") {
                read_locations(program, rest, &mut proof.company, true)?;
            } else if let Some(rest) = line.after("lock") {
                let lock = read_lock(program, rest, locks.len())?;
                let held = Held { at: everywhere(program, None), keeps: vec![false; program.functions.len()] };
                if proof.held.insert(lock, held).is_some() {
                    return Err(line.wrong("this lock has been described before"));
                }
                locks.push(lock);
            } else if let Some(rest) = line.after("object") {
                let (object, by) = read_protection(program, rest, &locks)?;
                proof.objects.insert(object, by);
            } else {
                let held = locks.last().and_then(|lock| proof.held.get_mut(lock));
                let held = held.ok_or_else(|| line.wrong("`company`, `lock` or `object` is expected here"))?;
                read_held(program, *line, held)?;
            }
        }
        Ok(proof)
    }
}

/// The same at every location.
fn everywhere<T: Clone>(program: &Program, said: T) -> Vec<Vec<T>> {
    program.functions.iter().map(|function| vec![said.clone(); function.locations.len()]).collect()
}

/// The locations at which something is so, function by function.
fn write_sets<T>(program: &Program, word: &str, said: &[Vec<T>], is_so: impl Fn(&T) -> bool, text: &mut String) {
    for (function, said) in said.iter().enumerate() {
        let there = said.iter().enumerate().filter(|(_, said)| is_so(said));
        let set: BTreeSet<u32> = there.map(|(location, _)| location as u32).collect();
        if !set.is_empty() {
            let name = function_name(program, FunctionId::new(function));
            write_line(text, &format!("{word} {name} {}", set_text(&set)), "");
        }
    }
}

/// Reads a function and locations of it, and says the same of all of these.
fn read_locations<T: Clone>(program: &Program, line: Line<'_>, said: &mut [Vec<T>], what: T) -> Result<(), Unreadable> {
    let wrong = || line.wrong("a function and locations of it are expected here");
    let (name, set) = line.around(" ").ok_or_else(wrong)?;
    let function = read_function(program, name.text).map_err(|error| name.wrong_at(error))?;
    let said = said.get_mut(function.index()).ok_or_else(wrong)?;
    for location in read_set(set, said.len() as u32)? {
        said[location as usize] = what.clone();
    }
    Ok(())
}

fn read_held(program: &Program, line: Line<'_>, held: &mut Held) -> Result<(), Unreadable> {
    if let Some(name) = line.after("keeps") {
        let function = read_function(program, name.text).map_err(|error| name.wrong_at(error))?;
        held.keeps[function.index()] = true;
        return Ok(());
    }
    for (mode, word) in MODES {
        if let Some(rest) = line.after(word) {
            return read_locations(program, rest, &mut held.at, Some(mode));
        }
    }
    Err(line.wrong("`exclusive`, `shared`, `keeps`, `lock` or `object` is expected here"))
}

fn read_lock(program: &Program, line: Line<'_>, number: usize) -> Result<Lock, Unreadable> {
    let wrong = || line.wrong(format!("a lock such as `{number} mutex at 0 in m` is expected here"));
    let (stated, rest) = line.around(" ").ok_or_else(wrong)?;
    if stated.number::<usize>("the number of a lock")? != number {
        return Err(wrong());
    }
    let (kind, rest) = rest.around(" at ").ok_or_else(wrong)?;
    let (offset, object) = rest.around(" in ").ok_or_else(wrong)?;
    let kind = KINDS.iter().find(|(_, name)| *name == kind.text).map(|(kind, _)| *kind).ok_or_else(wrong)?;
    let offset = offset.text.parse().map_err(|_| wrong())?;
    Ok(Lock { object: read_object(program, object)?, offset, kind })
}

fn read_protection(program: &Program, line: Line<'_>, locks: &[Lock]) -> Result<(ObjectId, Protection), Unreadable> {
    if let Some((object, number)) = line.around(" guarded by ") {
        let lock = locks.get(number.number::<usize>("the number of a lock")?);
        let lock = lock.ok_or_else(|| number.wrong("there is no such lock"))?;
        return Ok((read_object(program, object)?, Protection::Guarded(*lock)));
    }
    match line.around(" read only") {
        Some((object, rest)) if rest.is_empty() => Ok((read_object(program, object)?, Protection::ReadOnly)),
        _ => Err(line.wrong("an object and `read only` or `guarded by` are expected here")),
    }
}

fn read_object(program: &Program, line: Line<'_>) -> Result<ObjectId, Unreadable> {
    match read_root(program, line.text).map_err(|error| line.wrong_at(error))? {
        Root::Static(object) => Ok(object),
        Root::Local(..) | Root::One(_) => Err(line.wrong("a variable with static storage is expected here")),
    }
}
