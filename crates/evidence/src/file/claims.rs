//! What certificates show, as text.
//!
//! ```text
//! claim = "no assertion fails" | "assertion" number | "no data race" ( "on" object | "within" field )? | "no deadlock"
//!       | "no livelock" | "nothing undefined" | "no signed overflow" | "no interference in file" number "lines" number "-" number
//! ```

use super::lines::{Line, Unreadable};
use crate::protection::text::{field_text, read_field};
use crate::{AtomicLines, Claim, Subject};
use selvedge_analysis::AbstractObject;
use selvedge_program::{CheckId, FileId, Program, Property};
use selvedge_symbolic::Root;
use selvedge_symbolic::predicate::{function_name, read_function, read_root, root_name};

/// The object of a claim that stands for all threads.
const THREADS: &str = "@threads";

/// A claim, and something for people.
pub fn text(program: &Program, claim: Claim) -> (String, String) {
    let plain = |words: &str| (words.to_owned(), String::new());
    match claim {
        Claim::All(Property::Assertion) => plain("no assertion fails"),
        Claim::All(Property::Race) => plain("no data race"),
        Claim::All(Property::Deadlock) | Claim::Of(Subject::Deadlock) => plain("no deadlock"),
        Claim::All(Property::Livelock) | Claim::Of(Subject::Livelock) => plain("no livelock"),
        Claim::All(Property::Memory) => plain("nothing undefined"),
        Claim::All(Property::Overflow) => plain("no signed overflow"),
        Claim::All(Property::Atomicity) => plain("no interference"),
        Claim::Of(Subject::Memory(_, _, undefined)) => text(program, Claim::All(undefined.property())),
        Claim::Of(Subject::Race(object)) => plain(&format!("no data race on {}", object_text(program, object))),
        Claim::Of(Subject::FieldRace(object, field)) => {
            plain(&format!("no data race within {}", field_text(program, object, field).unwrap_or_default()))
        }
        Claim::Of(Subject::Assertion(check)) => {
            let known = program.checks.get(check.index());
            let comment = known.map(|check| format!("{}, {}", check.description, program.place(check.span)));
            (format!("assertion {}", check.index()), comment.unwrap_or_default())
        }
        Claim::Of(Subject::Atomicity(AtomicLines { file, first, second })) => {
            let words = format!("no interference in file {} lines {first}-{second}", file.index());
            (words, program.sources.name(file).to_owned())
        }
    }
}

/// What an object is called: as in predicates, where a site stands for all that is allocated there.
fn object_text(program: &Program, object: AbstractObject) -> String {
    match object {
        AbstractObject::Static(object) => root_name(program, Root::Static(object)),
        AbstractObject::Frame(function, slot) => root_name(program, Root::Local(function, slot)),
        AbstractObject::Site(site) => root_name(program, Root::One(site)),
        AbstractObject::Function(function) => format!("&{}", function_name(program, function)),
        AbstractObject::Thread | AbstractObject::Started(_) => THREADS.to_owned(),
    }
}

/// Reads a claim about a program.
///
/// # Errors
/// When it is none, or the program does not have what it is about.
pub fn read(program: &Program, line: Line<'_>) -> Result<Claim, Unreadable> {
    if let Some(object) = line.after("no data race on") {
        return Ok(Claim::Of(Subject::Race(read_object(program, object)?)));
    }
    if let Some(field) = line.after("no data race within") {
        let (object, field) = read_field(program, field)?;
        return Ok(Claim::Of(Subject::FieldRace(object, field)));
    }
    if let Some(number) = line.after("assertion") {
        let check: usize = number.number("the number of an assertion")?;
        let is_there = check < program.checks.len();
        let claim = is_there.then(|| Claim::Of(Subject::Assertion(CheckId::new(check))));
        return claim.ok_or_else(|| number.wrong("there is no such assertion"));
    }
    if let Some(rest) = line.after("no interference in file") {
        let wrong = || rest.wrong("lines such as `0 lines 3-5` are expected here");
        let (file, lines) = rest.around(" lines ").ok_or_else(wrong)?;
        let (first, second) = lines.around("-").ok_or_else(wrong)?;
        let file = FileId(file.number("the number of a file")?);
        let (first, second) = (first.number("a line")?, second.number("a line")?);
        return Ok(Claim::Of(Subject::Atomicity(AtomicLines { file, first, second })));
    }
    match line.text {
        "no assertion fails" => Ok(Claim::All(Property::Assertion)),
        "no data race" => Ok(Claim::All(Property::Race)),
        "no deadlock" => Ok(Claim::Of(Subject::Deadlock)),
        "no livelock" => Ok(Claim::Of(Subject::Livelock)),
        "nothing undefined" => Ok(Claim::All(Property::Memory)),
        "no signed overflow" => Ok(Claim::All(Property::Overflow)),
        "no interference" => Ok(Claim::All(Property::Atomicity)),
        _ => Err(line.wrong(
            "`no assertion fails`, `assertion 3`, `no data race`, `no data race on x`, `no deadlock`, `no livelock`, \
             `nothing undefined` or `no signed overflow` is expected here",
        )),
    }
}

fn read_object(program: &Program, line: Line<'_>) -> Result<AbstractObject, Unreadable> {
    if line.text == THREADS {
        return Ok(AbstractObject::Thread);
    }
    if line.text.starts_with('&') {
        let name = line.skip(1);
        return read_function(program, name.text).map(AbstractObject::Function).map_err(|error| name.wrong_at(error));
    }
    match read_root(program, line.text).map_err(|error| line.wrong_at(error))? {
        Root::Static(object) => Ok(AbstractObject::Static(object)),
        Root::Local(function, slot) => Ok(AbstractObject::Frame(function, slot)),
        Root::One(site) => Ok(AbstractObject::Site(site)),
    }
}
