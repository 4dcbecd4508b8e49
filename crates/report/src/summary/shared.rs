//! What threads share, and which accesses to it may be parallel.

use super::{Summary, home, short_name, some, spot, spots, starts};
use selvedge_analysis::conflicts::Found;
use selvedge_analysis::locks::{Guard, Guarded};
use selvedge_analysis::{AbstractObject, AccessSite, Conflicts, Field, Protection, TemplateId};
use selvedge_program::semantics::AccessKind;
use selvedge_program::{FileId, Program, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A line that accesses something in some way.
type Accessing = (FileId, u32, AccessKind);

/// At most so many lines with conflicts are told of for one object.
const MOST_CONFLICTS: usize = 6;

/// The rows of the table: object, uses and conflicts.
pub fn rows(facts: &Summary<'_>) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut has_conflicts = false;
    for (object, used) in &facts.sharing.shared {
        let mut roles = roles(facts, &used.writers, &used.readers);
        if !used.has_plain_access {
            roles.push_str(", atomic only");
        }
        rows.push(vec![short_name(facts.program, *object), roles]);
        if used.has_plain_access && !used.writers.is_empty() {
            let conflicts = conflicts(facts.program, facts.conflicts.of_object.get(object));
            has_conflicts |= facts.conflicts.may_race(*object);
            rows.extend(conflicts.into_iter().map(|conflict| vec![String::new(), conflict]));
            let guards = facts.guarded.get(object).and_then(|guarded| guard(facts.program, guarded));
            rows.extend(guards.map(|guards| vec![String::new(), guards]));
        }
    }
    if has_conflicts && !facts.sharing.synchronisation.is_empty() {
        rows.push(vec!["(unless locks keep them apart)".to_owned()]);
    }
    rows
}

/// How an object is protected, in words: `never accessed by two threads at once`.
pub fn protection(program: &Program, protection: &Protection) -> Option<String> {
    match protection {
        Protection::Apart => Some("never accessed by two threads at once".to_owned()),
        Protection::ReadOnly => Some("only read while other threads run".to_owned()),
        Protection::Guarded(guarded) => guard(program, guarded),
    }
}

/// How a field of an object is protected, in words.
pub fn field_protection(
    program: &Program,
    (object, field): (AbstractObject, Field),
    protection: &Protection,
) -> Option<String> {
    let Protection::Guarded(guarded) = protection else { return self::protection(program, protection) };
    let beside = match guarded.guard? {
        Guard::Beside(distance, _) => field.name_beside(program, object, distance),
        Guard::Static(..) | Guard::Alongside { .. } => None,
    };
    match (beside, object) {
        (None, _) => guard(program, guarded),
        (Some(path), AbstractObject::Static(_)) => {
            Some(guard_named(program, guarded, &Field::full_name(program, object, &path)))
        }
        (Some(path), _) => Some(guard_named(program, guarded, &format!("{} beside it", path.trim_start_matches('.')))),
    }
}

/// By which lock the accesses to an object are guarded: `guarded by m at 5 of 6 accesses, not at line 21`.
pub fn guard(program: &Program, guarded: &Guarded) -> Option<String> {
    let name = match guarded.guard? {
        Guard::Static(object, offset, _) => {
            let object = program.object(object);
            let part = u64::try_from(offset).ok().and_then(|offset| object.shape.lock_at(offset));
            format!("{}{}", object.name, part.unwrap_or_default())
        }
        Guard::Beside(..) => "a lock beside it".to_owned(),
        Guard::Alongside { locks, .. } => format!("the lock of the same index in {}", program.object(locks).name),
    };
    Some(guard_named(program, guarded, &name))
}

fn guard_named(program: &Program, guarded: &Guarded, name: &str) -> String {
    let with = guarded.accesses - guarded.without.len();
    let mut text = format!("guarded by {name} at {with} of {} accesses", guarded.accesses);
    if !guarded.without.is_empty() {
        let span = |site: &AccessSite| program.function(site.function).edge(site.edge).span;
        let without: Vec<Span> = guarded.without.iter().map(span).collect();
        text.push_str(&format!(", not at {}", spots(program, &without)));
    }
    text
}

fn roles(facts: &Summary<'_>, writers: &BTreeSet<TemplateId>, readers: &BTreeSet<TemplateId>) -> String {
    let names = |templates: &BTreeSet<TemplateId>| some(&starts(facts, templates), 6);
    match (writers.is_empty(), readers.is_empty()) {
        (false, false) => format!("written by {}, read by {}", names(writers), names(readers)),
        (false, true) => format!("written by {}", names(writers)),
        _ => format!("only read, by {}", names(readers)),
    }
}

fn conflicts(program: &Program, found: Option<&Found>) -> Vec<String> {
    let pairs = match found {
        None => return Vec::new(),
        Some(Found::TooMany { accesses }) => return vec![format!("{accesses} accesses, too many to compare them all")],
        Some(Found::Pairs(pairs)) if pairs.is_empty() => return vec!["never in parallel with a write".to_owned()],
        Some(Found::Pairs(pairs)) => pairs,
    };
    let mut partners: BTreeMap<Accessing, BTreeSet<Accessing>> = BTreeMap::new();
    for (a, b) in pairs {
        let (a, b) = (accessing(program, a), accessing(program, b));
        // Told from the side of a write, from that of the smaller line if both are.
        let is_write = |access: &Accessing| access.2 == AccessKind::Write;
        let (from, to) = if is_write(&a) && (!is_write(&b) || a <= b) { (a, b) } else { (b, a) };
        partners.entry(from).or_default().insert(to);
    }
    let mut lines: Vec<String> = partners
        .iter()
        .take(MOST_CONFLICTS)
        .map(|(from, to)| {
            let mut by_line: BTreeMap<(FileId, u32), Vec<&str>> = BTreeMap::new();
            for (file, line, kind) in to {
                by_line.entry((*file, *line)).or_default().push(verb(*kind));
            }
            let list: Vec<String> = by_line
                .iter()
                .map(|((file, line), verbs)| {
                    let line = at(program, *file, *line);
                    format!("{} {}", line.strip_prefix("line ").unwrap_or(&line), verbs.join(" or "))
                })
                .collect();
            format!("{} {} while {}", at(program, from.0, from.1), verb(from.2), some(&list, 6))
        })
        .collect();
    if partners.len() > MOST_CONFLICTS {
        lines.push(format!("and {} more writes in parallel with accesses", partners.len() - MOST_CONFLICTS));
    }
    lines
}

fn accessing(program: &Program, site: &AccessSite) -> Accessing {
    let span = program.function(site.function).edge(site.edge).span;
    (span.file, span.line, site.kind)
}

fn at(program: &Program, file: FileId, line: u32) -> String {
    let span = selvedge_program::Span::on_line(file, line, 1, 1);
    if Some(file) == home(program) { format!("line {line}") } else { spot(program, span) }
}

fn verb(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "reads",
        AccessKind::Write => "writes",
    }
}

/// Every conflict of an object, for JSON; nothing where they were not looked at one by one.
pub fn pairs(conflicts: &Conflicts, object: selvedge_analysis::AbstractObject) -> Vec<(AccessSite, AccessSite)> {
    match conflicts.of_object.get(&object) {
        Some(Found::Pairs(pairs)) => pairs.iter().copied().collect(),
        _ => Vec::new(),
    }
}
