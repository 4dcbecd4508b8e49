//! Proofs by protection as text.
//!
//! ```text
//! body = ( "addresses assumed" )?, ( ( "object" name | "field" field ) ": " how )*
//! how  = "apart" | "read only" | "excluded" | "guarded by" lock
//! field = size "bytes at" offset ( "of every" stride )? "in" name
//! lock = ( "its" )? ( "mutex" | "spin" | "read-write" ) "at" ( offset | "index" | "element" ) ( "in" name )?
//! ```
//! `its` lock lies in the object itself, at an offset from its beginning or in the same element; any other one in an object
//! with a name, at an offset or where the index of the element that it guards says.

use super::{Addresses, Guard, Lock, Protection, ProtectionProof};
use crate::file::lines::{Line, Unreadable};
use crate::file::write_line;
use selvedge_analysis::{AbstractObject, Field, Offset};
use selvedge_program::{LockKind, Program};
use selvedge_symbolic::Root;
use selvedge_symbolic::predicate::{read_root, root_name};

const KINDS: [(LockKind, &str); 3] =
    [(LockKind::Mutex, "mutex"), (LockKind::Spin, "spin"), (LockKind::ReadWrite, "read-write")];

impl ProtectionProof {
    /// Writes it.
    pub(crate) fn write(&self, program: &Program, text: &mut String) {
        if self.addresses == Addresses::Assumed {
            write_line(
                text,
                "addresses assumed",
                "none is read from memory that nobody has written, no chosen number is one, and none is used after a part of it was overwritten",
            );
        }
        for (object, protection) in &self.objects {
            let Some(name) = object_name(program, *object) else { continue };
            let protection = protection_text(program, *protection);
            write_line(text, &format!("object {name}: {protection}"), "");
        }
        for ((object, field), protection) in &self.fields {
            let Some(field) = field_text(program, *object, *field) else { continue };
            write_line(text, &format!("field {field}: {}", protection_text(program, *protection)), "");
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
            if let Some((field, protection)) = line.after("field").and_then(|rest| rest.around(": ")) {
                proof.fields.insert(read_field(program, field)?, read_protection(program, protection)?);
                continue;
            }
            let (object, protection) = line.after("object").and_then(|rest| rest.around(": ")).ok_or_else(|| {
                line.wrong("`object`, a name, or `field`, bytes, a colon and what protects it are expected here")
            })?;
            proof.objects.insert(read_object(program, object)?, read_protection(program, protection)?);
        }
        Ok(proof)
    }
}

fn protection_text(program: &Program, protection: Protection) -> String {
    match protection {
        Protection::Apart => "apart".to_owned(),
        Protection::ReadOnly => "read only".to_owned(),
        Protection::Excluded => "excluded".to_owned(),
        Protection::Guarded(Guard::Within(offset, kind)) => format!("guarded by its {} at {offset}", kind_name(kind)),
        Protection::Guarded(Guard::InElement(kind)) => format!("guarded by its {} at element", kind_name(kind)),
        Protection::Guarded(Guard::AtIndex(object, kind)) => {
            let object = object_name(program, object).unwrap_or_default();
            format!("guarded by {} at index in {object}", kind_name(kind))
        }
        Protection::Guarded(Guard::Lock(Lock { object, offset, kind })) => {
            let object = object_name(program, object).unwrap_or_default();
            format!("guarded by {} at {offset} in {object}", kind_name(kind))
        }
    }
}

/// A field: `4 bytes at 8 in pool`, `4 bytes at 8 of every 24 in pool`.
pub(crate) fn field_text(program: &Program, object: AbstractObject, field: Field) -> Option<String> {
    let Field { offset: Offset { start, stride }, size } = field;
    let every = if stride == 0 { String::new() } else { format!(" of every {stride}") };
    Some(format!("{size} bytes at {start}{every} in {}", object_name(program, object)?))
}

/// Reads what [`field_text`] writes.
pub(crate) fn read_field(program: &Program, line: Line<'_>) -> Result<(AbstractObject, Field), Unreadable> {
    let wrong = || line.wrong("bytes such as `4 bytes at 8 in pool` are expected here");
    let (size, rest) = line.around(" bytes at ").ok_or_else(wrong)?;
    let (place, object) = rest.around(" in ").ok_or_else(wrong)?;
    let number = |text: &str| text.parse::<i64>().ok().filter(|number| *number >= 0).ok_or_else(wrong);
    let offset = match place.around(" of every ") {
        None => Offset { start: number(place.text)?, stride: 0 },
        Some((start, stride)) => {
            let (start, stride) = (number(start.text)?, number(stride.text)?);
            Offset { start, stride: stride.unsigned_abs() }
        }
    };
    let is_normal = offset.stride == 0 || offset.start.unsigned_abs() < offset.stride;
    let size = number(size.text)?.unsigned_abs();
    if !is_normal || size == 0 {
        return Err(wrong());
    }
    Ok((read_object(program, object)?, Field { offset, size }))
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

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_program::ObjectId;
    use selvedge_program::assemble::Assembly;

    fn lines(text: &str) -> Vec<Line<'_>> {
        (1..).zip(text.lines()).map(|(number, line)| Line::new(number, line)).collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let mut assembly = Assembly::new();
        assembly.global("pool", 8);
        let pool = AbstractObject::Static(ObjectId(0));
        let field = |start, stride, size| (pool, Field { offset: Offset { start, stride }, size });
        let lock = Lock { object: pool, offset: 8, kind: LockKind::Mutex };
        let proof = ProtectionProof {
            found: Default::default(),
            addresses: Addresses::Assumed,
            objects: [(pool, Protection::Excluded)].into(),
            fields: [
                (field(0, 0, 4), Protection::Guarded(Guard::Lock(lock))),
                (field(4, 24, 4), Protection::Guarded(Guard::Within(0, LockKind::Spin))),
                (field(8, 0, 2), Protection::ReadOnly),
            ]
            .into(),
        };
        let mut text = String::new();
        proof.write(&assembly.program, &mut text);
        assert!(text.contains("field 4 bytes at 4 of every 24 in pool: guarded by its spin at 0"), "{text}");
        assert_eq!(ProtectionProof::read(&assembly.program, &lines(&text)), Ok(proof));
        for wrong in [
            "4 bytes at 4 in other",
            "4 bytes at -1 in pool",
            "0 bytes at 1 in pool",
            "4 bytes at 8 of every 4 in pool",
        ] {
            let text = format!("field {wrong}: apart");
            assert!(ProtectionProof::read(&assembly.program, &lines(&text)).is_err(), "{wrong}");
        }
    }
}
