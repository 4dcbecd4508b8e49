//! Proofs by protection as text.
//!
//! ```text
//! body = ( "addresses assumed" )?, ( "object" name ": " ( "apart" | "read only" | "excluded" | "guarded by" lock ) )*
//! lock = ( "its" )? ( "mutex" | "spin" | "read-write" ) "at" ( offset | "index" | "element" ) ( "in" name )?
//! ```
//! `its` lock lies in the object itself, at an offset from its beginning or in the same element; any other one in an object
//! with a name, at an offset or where the index of the element that it guards says.

use super::{Addresses, Guard, Lock, Protection, ProtectionProof};
use crate::file::lines::{Line, Unreadable};
use crate::file::write_line;
use selvedge_analysis::AbstractObject;
use selvedge_program::{LockKind, Program};
use selvedge_symbolic::Root;
use selvedge_symbolic::predicate::{read_root, root_name};

const KINDS: [(LockKind, &str); 3] =
    [(LockKind::Mutex, "mutex"), (LockKind::Spin, "spin"), (LockKind::ReadWrite, "read-write")];

impl ProtectionProof {
    /// Writes it.
    pub(crate) fn write(&self, program: &Program, text: &mut String) {
        if self.addresses == Addresses::Assumed {
            write_line(text, "addresses assumed", "none is read from memory that nobody has written");
        }
        for (object, protection) in &self.objects {
            let Some(name) = object_name(program, *object) else { continue };
            let protection = match protection {
                Protection::Apart => "apart".to_owned(),
                Protection::ReadOnly => "read only".to_owned(),
                Protection::Excluded => "excluded".to_owned(),
                Protection::Guarded(Guard::Within(offset, kind)) => {
                    format!("guarded by its {} at {offset}", kind_name(*kind))
                }
                Protection::Guarded(Guard::InElement(kind)) => {
                    format!("guarded by its {} at element", kind_name(*kind))
                }
                Protection::Guarded(Guard::AtIndex(object, kind)) => {
                    let object = object_name(program, *object).unwrap_or_default();
                    format!("guarded by {} at index in {object}", kind_name(*kind))
                }
                Protection::Guarded(Guard::Lock(Lock { object, offset, kind })) => {
                    let object = object_name(program, *object).unwrap_or_default();
                    format!("guarded by {} at {offset} in {object}", kind_name(*kind))
                }
            };
            write_line(text, &format!("object {name}: {protection}"), "");
        }
    }

    /// Reads what [`ProtectionProof::write`] writes.
    pub(crate) fn read(program: &Program, body: &[Line<'_>]) -> Result<ProtectionProof, Unreadable> {
        let mut proof = ProtectionProof::default();
        for line in body {
            if line.text == "addresses assumed" {
                proof.addresses = Addresses::Assumed;
                continue;
            }
            let (object, protection) = line
                .after("object")
                .and_then(|rest| rest.around(": "))
                .ok_or_else(|| line.wrong("`object`, a name, a colon and what protects it are expected here"))?;
            proof.objects.insert(read_object(program, object)?, read_protection(program, protection)?);
        }
        Ok(proof)
    }
}

fn kind_name(kind: LockKind) -> &'static str {
    KINDS.iter().find(|(other, _)| *other == kind).map_or("", |(_, name)| name)
}

fn object_name(program: &Program, object: AbstractObject) -> Option<String> {
    let root = match object {
        AbstractObject::Static(object) => Root::Static(object),
        AbstractObject::Frame(function, local) => Root::Local(function, local),
        AbstractObject::Site(site) => Root::One(site),
        AbstractObject::Function(_) | AbstractObject::Thread | AbstractObject::Started(_) => return None,
    };
    Some(root_name(program, root))
}

fn read_object(program: &Program, line: Line<'_>) -> Result<AbstractObject, Unreadable> {
    Ok(match read_root(program, line.text).map_err(|error| line.wrong_at(error))? {
        Root::Static(object) => AbstractObject::Static(object),
        Root::Local(function, local) => AbstractObject::Frame(function, local),
        Root::One(site) => AbstractObject::Site(site),
    })
}

fn read_protection(program: &Program, line: Line<'_>) -> Result<Protection, Unreadable> {
    let plain = [("apart", Protection::Apart), ("read only", Protection::ReadOnly), ("excluded", Protection::Excluded)];
    if let Some((_, protection)) = plain.iter().find(|(word, _)| *word == line.text) {
        return Ok(*protection);
    }
    let wrong = || line.wrong("`apart`, `read only`, `excluded` or `guarded by` and a lock are expected here");
    let lock = line.after("guarded by").ok_or_else(wrong)?;
    let (is_its, lock) = lock.after("its").map_or((false, lock), |rest| (true, rest));
    let (kind, place) = lock.around(" at ").ok_or_else(wrong)?;
    let kind = KINDS.iter().find(|(_, name)| *name == kind.text).map(|(kind, _)| *kind).ok_or_else(wrong)?;
    let offset = |text: &str| text.parse().map_err(|_| wrong());
    if is_its && place.text == "element" {
        return Ok(Protection::Guarded(Guard::InElement(kind)));
    }
    if is_its {
        return Ok(Protection::Guarded(Guard::Within(offset(place.text)?, kind)));
    }
    let (at, object) = place.around(" in ").ok_or_else(wrong)?;
    let object = read_object(program, object)?;
    if at.text == "index" {
        return Ok(Protection::Guarded(Guard::AtIndex(object, kind)));
    }
    Ok(Protection::Guarded(Guard::Lock(Lock { object, offset: offset(at.text)?, kind })))
}
